package board

import (
	"context"
	"runtime"

	"beckon/backend/beckon"
	"beckon/backend/git"
)

// About completes what the program knows of itself by where its data is and by
// what git it finds.
func (b *Board) About(ctx context.Context, a beckon.About) beckon.About {
	a.DataDir, a.System = b.DataDir, runtime.GOOS
	if v, err := git.Version(ctx); err == nil {
		a.GitVersion = v
	}
	return a
}
