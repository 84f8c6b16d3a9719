package export

import (
	"bytes"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"beckon/backend/plain"
)

// markdownMost is how long a text is taken for markdown, in bytes: what is
// longer is output that somebody pasted, and shown as it is.
const markdownMost = 16 << 10

// nesting finds what takes a parser of markdown minutes: quotes and lists in one
// another beyond all sense.
var nesting = regexp.MustCompile(`(?m)^(?:[ \t]*(?:>|[-*+]|[0-9]+[.)])){20}`)

// linksMost is how many links a text has that is taken for markdown.
const linksMost = 300

// markdown renders HTML that stands in a text as the text that it is.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Strikethrough, extension.TaskList),
	goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(links{}, 100), util.Prioritized(headings{}, 101))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(tags{}, 100))),
)

// rendered is a text as HTML.
func rendered(source string) markup {
	source = plain.Visible(source)
	if len(source) > markdownMost || nesting.MatchString(source) || strings.Count(source, "](") > linksMost {
		return preformatted(source)
	}
	var out bytes.Buffer
	if err := markdown.Convert([]byte(source), &out); err != nil {
		return preformatted(source)
	}
	return markup(out.String()) // goldmark escapes what it does not render
}

func preformatted(source string) markup {
	return form("<pre>%s</pre>", source)
}

// tags renders HTML as text: what somebody said is not left out without a word.
type tags struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (tags) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			escaped(w, source, n.(*ast.RawHTML).Segments)
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		block := n.(*ast.HTMLBlock)
		if entering {
			_, _ = w.WriteString("<p class=\"plain\">") // a buffer's, which keeps its error
			escaped(w, source, block.Lines())
			return ast.WalkContinue, nil
		}
		if block.HasClosure() {
			_, _ = w.WriteString(html.EscapeString(string(block.ClosureLine.Value(source))))
		}
		_, _ = w.WriteString("</p>\n")
		return ast.WalkContinue, nil
	})
}

func escaped(w util.BufWriter, source []byte, lines *text.Segments) {
	for _, line := range lines.Sliced(0, lines.Len()) {
		_, _ = w.WriteString(html.EscapeString(string(line.Value(source))))
	}
}

// headings puts those of a text below those of the page.
type headings struct{}

// Transform implements parser.ASTTransformer.
func (headings) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	// The walk only changes levels, and this visitor returns no error.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, is := n.(*ast.Heading); is && entering {
			h.Level = min(6, h.Level+2)
		}
		return ast.WalkContinue, nil
	})
}

// links leaves only what leads to the web or to mail. Images are somewhere
// else as well, so that they become links: nothing is fetched.
type links struct{}

// Transform implements parser.ASTTransformer.
func (links) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var found []ast.Node
	// The walk only collects, and this visitor returns no error.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.(type) {
		case *ast.Link, *ast.Image, *ast.AutoLink:
			if entering {
				found = append(found, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, n := range found {
		secure(n, reader.Source())
	}
}

// secure replaces a link by one that may stay, or by its words.
func secure(n ast.Node, source []byte) {
	switch n := n.(type) {
	case *ast.AutoLink:
		if !leadsOut(n.URL(source)) {
			n.Parent().ReplaceChild(n.Parent(), n, ast.NewString(n.Label(source)))
		}
	case *ast.Link:
		replace(n, n.Destination)
	case *ast.Image:
		replace(n, n.Destination)
	}
}

func replace(n ast.Node, destination []byte) {
	var stands ast.Node = ast.NewEmphasis(1)
	if leadsOut(destination) {
		link := ast.NewLink()
		link.Destination = destination
		stands = link
	}
	for child := n.FirstChild(); child != nil; child = n.FirstChild() {
		stands.AppendChild(stands, child)
	}
	n.Parent().ReplaceChild(n.Parent(), n, stands)
}

func leadsOut(destination []byte) bool {
	u, err := url.Parse(string(destination))
	return err == nil && slices.Contains([]string{"http", "https", "mailto"}, u.Scheme)
}
