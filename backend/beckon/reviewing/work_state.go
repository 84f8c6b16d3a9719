package reviewing

// WorkState is what a worktree is at one moment: the commit of its branch, and the trees of its
// files, untracked ones included and ignored ones not, and of its index.
type WorkState struct {
	Head   string `json:"head"`
	Tree   string `json:"tree"`
	Staged string `json:"staged"`
}
