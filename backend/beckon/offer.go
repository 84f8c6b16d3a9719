package beckon

// This file has the words for what a folder holds that makes new worktrees ready, which
// nothing takes until the user does.

// Offer is what there is in a project's folder for its worktrees.
type Offer struct {
	// Listed says that the folder has a .worktreeinclude, and Patterns what is in it: the
	// default of what is copied.
	Listed   bool     `json:"listed"`
	Patterns []string `json:"patterns"`
	// Env names the first files such as .env that git ignores, where nothing is listed, and
	// EnvPatterns have them copied.
	Env         []string `json:"env"`
	EnvPatterns []string `json:"envPatterns"`
	// Setups are commands in the files of other tools.
	Setups []FoundSetup `json:"setups"`
}

// FoundSetup is what another tool runs in its worktrees, as commands of Beckon's.
type FoundSetup struct {
	Tool  string `json:"tool"` // its name, such as "Conductor"
	File  string `json:"file"` // where it keeps them, in the folder
	Setup string `json:"setup"`
	Dev   string `json:"dev"` // empty: it has none
}
