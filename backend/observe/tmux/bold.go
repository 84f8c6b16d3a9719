package tmux

import (
	"regexp"
	"strings"
)

// style is the escape sequence that sets how what follows looks.
var style = regexp.MustCompile("^\x1b\\[([0-9;]*)m")

// bold returns the numbers of the lines that begin in bold, of a screen with its
// escape sequences. A style holds until the next one, beyond the end of a line.
func bold(lines []string) map[int]bool {
	found, on := map[int]bool{}, false
	for i, line := range lines {
		begun := false
		for line != "" {
			m := style.FindStringSubmatch(line)
			if m == nil {
				if !begun && on {
					found[i] = true
				}
				begun = true
				next := strings.IndexByte(line[1:], '\x1b')
				if next < 0 {
					break
				}
				line = line[1+next:]
				continue
			}
			on = isBold(on, m[1])
			line = line[len(m[0]):]
		}
	}
	return found
}

// isBold applies the numbers of a sequence: 1 is bold, 22 is not, and none or 0 takes all
// styles back. After 38 and 48 comes a colour, by its number or by its three parts.
func isBold(on bool, numbers string) bool {
	all := strings.Split(numbers, ";")
	for i := 0; i < len(all); i++ {
		switch all[i] {
		case "1":
			on = true
		case "", "0", "22":
			on = false
		case "38", "48", "58":
			if i+1 < len(all) && all[i+1] == "2" {
				i += 4
			} else {
				i += 2
			}
		}
	}
	return on
}
