package channel

import (
	"slices"

	"beckon/backend/beckon/remote"
)

// leaving is what a channel tells: the parts that it always does, those that leave
// only where the user chose them, and those that go to devices with the right only.
type leaving struct{ always, optional, byRight []remote.Part }

// leaves is the one list of what leaves this computer. Settings shows it, and
// letters are written by it.
var leaves = map[remote.Channel]leaving{
	remote.Telegram: {
		always:   []remote.Part{remote.Kind, remote.Key, remote.Times, remote.Text, remote.Link},
		optional: []remote.Part{remote.Diff, remote.Plan, remote.Progress, remote.Elsewhere},
		byRight:  []remote.Part{},
	},
	// What a page shows goes through the user's own tunnel.
	remote.Phone: {
		always:   []remote.Part{remote.Kind, remote.Key, remote.Count, remote.Times, remote.Text, remote.Diff, remote.Plan},
		optional: []remote.Part{},
		byRight:  []remote.Part{remote.Lines, remote.Elsewhere},
	},
	remote.Hook: {
		always:   []remote.Part{remote.Kind, remote.Key, remote.Count, remote.Times, remote.Link},
		optional: []remote.Part{remote.Text, remote.Ended, remote.Elsewhere},
		byRight:  []remote.Part{},
	},
	// Times leave as the time for which a message is kept; all else is encrypted.
	remote.Push: {
		always:   []remote.Part{remote.Kind, remote.Key, remote.Times},
		optional: []remote.Part{remote.Text},
		byRight:  []remote.Part{remote.Elsewhere},
	},
}

// shown is the order in which Settings lists the channels.
var shown = []remote.Channel{remote.Phone, remote.Push, remote.Telegram, remote.Hook}

// may reports whether a part leaves by a channel that is set up so.
func may(channel remote.Channel, setup remote.Setup, part remote.Part) bool {
	l := leaves[channel]
	return slices.Contains(l.always, part) || slices.Contains(l.optional, part) && slices.Contains(setup.Chosen, part)
}

// audience is a receiver of a channel that is set up so.
type audience struct {
	Receiver
	channel remote.Channel
	setup   remote.Setup
}

// may reports whether a part leaves to it.
func (a audience) may(part remote.Part) bool {
	return may(a.channel, a.setup, part) || part == remote.Elsewhere && a.Elsewhere && slices.Contains(leaves[a.channel].byRight, part)
}
