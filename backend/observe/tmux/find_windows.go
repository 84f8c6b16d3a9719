package tmux

import "context"

// Find says that there is no tmux.
func Find(context.Context, Process) (*Pane, error) { return nil, refuse(NoTmux) }

func statusOf(int) (status, error) { return status{}, refuse(NoTmux) }
