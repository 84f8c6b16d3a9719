package reviewing

// ChangedLines are lines of a file's changes of which a person wants to know why they are there.
type ChangedLines struct {
	File
	// First and Last are those of the file as it is, BeforeFirst and BeforeLast of the file as
	// it was; 0 for none. Without any they are all that changed in the file.
	First       int `json:"first"`
	Last        int `json:"last"`
	BeforeFirst int `json:"beforeFirst"`
	BeforeLast  int `json:"beforeLast"`
}
