package beckon

import "slices"

// This file has the words for how the page looks, as its user set it.
// The zero Looks is what Beckon begins with.

// The text sizes that can be chosen, in pixels of the running text.
const (
	SmallestText = 12
	LargestText  = 20
)

// Looks is how the page looks, beside its theme. An empty word follows the
// system, or else is what the design has.
type Looks struct {
	TextSize int    `json:"textSize"` // 0 is the design's
	Density  string `json:"density"`  // "" or "comfortable"
	CodeFont string `json:"codeFont"` // "" or "system"
	Contrast string `json:"contrast"` // "" or "more"
	Motion   string `json:"motion"`   // "" or "off"
	// HideSpent leaves tokens and cost out of the cards.
	HideSpent bool `json:"hideSpent"`
	// NeedsInPlace leaves the cards that need the person where they are in Running,
	// and not above the others.
	NeedsInPlace bool `json:"needsInPlace"`
}

// Valid reports whether the page knows all of it.
func (l Looks) Valid() bool {
	size := l.TextSize == 0 || SmallestText <= l.TextSize && l.TextSize <= LargestText
	return size && slices.Contains([]string{"", "comfortable"}, l.Density) && slices.Contains([]string{"", "system"}, l.CodeFont) &&
		slices.Contains([]string{"", "more"}, l.Contrast) && slices.Contains([]string{"", "off"}, l.Motion)
}
