package review

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

// mostShapes bounds what an SVG draws in all, with what it draws by reference. A shape
// counts one, and one more for each 64 bytes of its attributes: a path is as long as these.
const mostShapes = 5000

// costly are elements whose cost their size does not say: they repeat, blur or nest what is
// drawn, go on for ever, or hold another document.
var costly = []string{
	"pattern", "filter", "mask", "marker", "feImage", "foreignObject", "iframe", "video", "audio", "canvas",
	"animate", "animateMotion", "animateTransform", "animateColor", "set",
}

// costlyWords do the same by CSS, as an attribute or in a style.
var costlyWords = []string{"filter", "mask", "animation", "transition", "pattern", "@import", "marker", "dasharray"}

// part is an element: what it draws itself and by reference.
type part struct {
	id       string
	size     int
	refers   []string
	children []*part
}

// bounded reports whether an SVG costs no more to draw than its pixels. What cannot be read
// does not: a browser may read it otherwise.
func bounded(content []byte) bool {
	root, err := read(content)
	if err != nil {
		return false
	}
	named := map[string]*part{}
	root.name(named)
	cost, ok := root.cost(named, true)
	return ok && cost <= mostShapes
}

// read reads the elements of an SVG. The error says that something in it is costly.
func read(content []byte) (*part, error) {
	decoder := xml.NewDecoder(bytes.NewReader(content))
	root := &part{}
	open := []*part{root}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			one, err := partOf(token)
			if err != nil {
				return nil, err
			}
			above := open[len(open)-1]
			above.children = append(above.children, one)
			open = append(open, one)
			if len(open) > 100 {
				return nil, errCostly
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if isCostly(string(token)) && len(open) > 1 && open[len(open)-1].id == styleID {
				return nil, errCostly
			}
		case xml.Directive: // a DOCTYPE; its entities may multiply
			if bytes.Contains(token, []byte("[")) {
				return nil, errCostly
			}
		}
	}
}

var errCostly = errors.New("it has what may cost more than its pixels")

// styleID marks a <style>, which draws nothing and has no id that is looked for.
const styleID = "\x00style"

func partOf(e xml.StartElement) (*part, error) {
	if slices.Contains(costly, e.Name.Local) {
		return nil, errCostly
	}
	one := &part{size: 1}
	bytes := 0
	for _, a := range e.Attr {
		name, value := a.Name.Local, a.Value
		bytes += len(value)
		switch {
		case name == "id":
			one.id = value
		case name == "href" && e.Name.Local == "image":
			// Any other than one that the SVG itself holds is not fetched.
			if strings.HasPrefix(strings.ToLower(strings.TrimSpace(value)), "data:") {
				return nil, errCostly
			}
		case name == "href" && e.Name.Local == "use":
			if !strings.HasPrefix(value, "#") {
				return nil, errCostly
			}
			one.refers = append(one.refers, value[1:])
		case slices.ContainsFunc(costlyWords, func(word string) bool { return strings.Contains(name, word) }),
			name == "style" && isCostly(value):
			return nil, errCostly
		case strings.Contains(value, "url("):
			one.refers = append(one.refers, linked(value)...)
		}
	}
	if e.Name.Local == "style" {
		one.id = styleID
	}
	one.size += bytes / 64
	return one, nil
}

// isCostly reports whether CSS says something that is.
func isCostly(css string) bool {
	css = strings.ToLower(css)
	return slices.ContainsFunc(costlyWords, func(word string) bool { return strings.Contains(css, word) }) || strings.Contains(css, `\`)
}

// linked returns the ids that a value names by url(#…).
func linked(value string) (ids []string) {
	for _, rest := range strings.Split(value, "url(")[1:] {
		id, _, _ := strings.Cut(strings.Trim(rest, ` '"`), ")")
		ids = append(ids, strings.TrimPrefix(strings.Trim(id, ` '"`), "#"))
	}
	return ids
}

// name notes the elements by their ids; of two with one id the first counts, as in browsers.
func (p *part) name(named map[string]*part) {
	if _, taken := named[p.id]; p.id != "" && !taken {
		named[p.id] = p
	}
	for _, child := range p.children {
		child.name(named)
	}
}

// cost returns what a part draws in all. What is referred to may refer to nothing itself:
// a few levels of that multiply without end.
func (p *part) cost(named map[string]*part, mayRefer bool) (sum int, ok bool) {
	sum = p.size
	for _, id := range p.refers {
		target := named[id]
		if target == nil {
			continue
		}
		if !mayRefer {
			return 0, false
		}
		more, ok := target.cost(named, false)
		if sum += more; !ok || sum > mostShapes {
			return 0, false
		}
	}
	for _, child := range p.children {
		more, ok := child.cost(named, mayRefer)
		if sum += more; !ok || sum > mostShapes {
			return 0, false
		}
	}
	return sum, true
}
