package undolog

// Owned returns the tables with the rows of a card, in the order in which they come back.
func Owned() []string {
	var names []string
	for _, t := range owned {
		names = append(names, t.name)
	}
	return names
}
