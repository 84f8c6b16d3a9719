package client

import (
	"beckon/backend/beckon/remote"
	"beckon/tests/telegramtest"
)

// PairChat switches the bot on that the service plays, and pairs somebody's private
// chat with it.
func (p *Program) PairChat(service *telegramtest.Server, id int64, name string) *telegramtest.Person {
	p.t.Helper()
	Must[any](p, "SwitchChannel", remote.Telegram, true)
	var pairing remote.Pairing
	p.Until("the bot knows its name", patience, func() (is bool) {
		var err error
		pairing, err = Call[remote.Pairing](p, "PairDevice", remote.Telegram)
		return err == nil
	})
	who := service.Person(id, name)
	who.Type(id, "/start "+pairing.Code)
	service.WaitMessage(id, "Paired.")
	return who
}
