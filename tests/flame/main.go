// Command flame draws a profile as a picture: it reads what `perf script -F comm,ip,sym`
// prints and writes an SVG in which each function is as wide as its share of the time,
// and stands on what called it. build/flame.sh takes the profile.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"html"
	"io"
	"os"
	"slices"
	"strings"
)

const (
	width  = 1200.0 // pixels
	row    = 16     // pixels
	margin = 10     // pixels
	least  = 0.004  // of the whole: what is narrower is not drawn
)

// frame is a function and what it called.
type frame struct {
	name    string
	samples int
	calls   map[string]*frame
}

func (f *frame) call(name string) *frame {
	if f.calls == nil {
		f.calls = map[string]*frame{}
	}
	if f.calls[name] == nil {
		f.calls[name] = &frame{name: name}
	}
	return f.calls[name]
}

func main() {
	title := flag.String("title", "", "what the picture shows")
	flag.Parse()
	root, err := read(os.Stdin)
	if err != nil || root.samples == 0 {
		fmt.Fprintln(os.Stderr, "flame: there are no samples:", err)
		os.Exit(1)
	}
	draw(os.Stdout, root, fmt.Sprintf("%s (%d samples)", *title, root.samples))
}

// read reads samples: a line that names the thread, its frames from the innermost out,
// and an empty line.
func read(from io.Reader) (*frame, error) {
	root := &frame{name: "all"}
	var stack []string
	in := bufio.NewScanner(from)
	for in.Scan() {
		line := in.Text()
		switch {
		case line == "":
			root.add(stack)
			stack = nil
		case line[0] == ' ' || line[0] == '\t':
			_, symbol, _ := strings.Cut(strings.TrimSpace(line), " ")
			stack = append(stack, short(symbol))
		}
	}
	root.add(stack)
	return root, in.Err()
}

// add adds a sample. What the kernel and the runtime begin threads with is left out.
func (f *frame) add(stack []string) {
	if len(stack) == 0 {
		return
	}
	f.samples++
	at := f
	for _, name := range slices.Backward(stack) {
		if name == "runtime.goexit" {
			continue
		}
		at = at.call(name)
		at.samples++
	}
}

// short leaves out of a function's name where its module lies, and of which types it is.
func short(symbol string) string {
	name, _, _ := strings.Cut(symbol, "[go.shape")
	name = strings.TrimSuffix(name, ".abi0")
	if slash := strings.LastIndex(name, "/"); slash >= 0 && !strings.HasPrefix(name, "beckon/") {
		return name[slash+1:]
	}
	return strings.TrimPrefix(name, "beckon/backend/")
}

func draw(to io.Writer, root *frame, title string) {
	deepest := depth(root, root.samples)
	height := (deepest+1)*row + 3*margin
	fmt.Fprintf(to, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="sans-serif" font-size="11">`+"\n", width, height)
	fmt.Fprintf(to, `<rect width="100%%" height="100%%" fill="#fff"/><text x="%d" y="%d" font-size="13">%s</text>`+"\n", margin, 2*margin, html.EscapeString(title))
	root.draw(to, root.samples, margin, height-margin-row)
	fmt.Fprintln(to, "</svg>")
}

func depth(f *frame, all int) int {
	deepest := 0
	for _, c := range f.calls {
		if c.share(all) >= least {
			deepest = max(deepest, depth(c, all))
		}
	}
	return deepest + 1
}

func (f *frame) share(all int) float64 { return float64(f.samples) / float64(all) }

// draw draws a frame, and above it what it called.
func (f *frame) draw(to io.Writer, all int, x float64, y int) {
	wide := (width - 2*margin) * f.share(all)
	label := f.name
	if fits := int(wide / 6); fits < len(label) {
		label = label[:max(0, fits-1)]
	}
	fmt.Fprintf(to, `<g><title>%s: %.1f %%</title><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s" stroke="#fff" stroke-width=".5"/><text x="%.1f" y="%d">%s</text></g>`+"\n",
		html.EscapeString(f.name), 100*f.share(all), x, y, wide, row-1, colour(f.name), x+2, y+row-5, html.EscapeString(label))
	calls := make([]*frame, 0, len(f.calls))
	for _, c := range f.calls {
		calls = append(calls, c)
	}
	slices.SortFunc(calls, func(a, b *frame) int { return cmp.Compare(a.name, b.name) })
	for _, c := range calls {
		if c.share(all) >= least {
			c.draw(to, all, x, y-row)
		}
		x += (width - 2*margin) * c.share(all)
	}
}

// colour tells whose a function is.
func colour(name string) string {
	switch {
	case strings.HasPrefix(name, "runtime."):
		return "#d5d5d5"
	case strings.Contains(name, "json"):
		return "#ffd27f"
	case strings.Contains(name, "sqlite"):
		return "#b7d7f0"
	case !strings.Contains(name, "."): // the kernel's
		return "#c9c2e0"
	case strings.Contains(name, "/") || strings.HasPrefix(name, "main.") || ours(name):
		return "#9fd6a8"
	default:
		return "#f3b5a5"
	}
}

// ours are packages of the backend that lie in no other.
func ours(name string) bool {
	for _, one := range []string{"runner.", "transcript.", "feed.", "web.", "search.", "store.", "history.", "claude.", "question.", "board."} {
		if strings.HasPrefix(name, one) {
			return true
		}
	}
	return false
}
