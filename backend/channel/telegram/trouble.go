package telegram

import (
	"beckon/backend/beckon/remote"
	"beckon/backend/channel/telegram/api"
)

// TroubleOf is why nothing goes, as Settings says it.
func TroubleOf(err error) remote.Trouble {
	switch api.KindOf(err) {
	case api.Conflict:
		return remote.Taken
	case api.Hooked:
		return remote.Hooked
	case api.BadToken:
		return remote.Unknown
	case api.Refused, api.Closed, api.Moved:
		return remote.Refused
	default:
		return remote.Unreachable
	}
}
