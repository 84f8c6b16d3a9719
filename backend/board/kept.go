package board

import (
	"sync"

	"beckon/backend/beckon"
	"beckon/backend/store"
)

// This file holds what the page puts down between two looks at it: what was
// typed and not sent, and how Mission Control is laid out.

// Page is what is kept. Its methods may be called from any goroutine.
type Page struct {
	store      *store.Store
	publish    func(beckon.Event)
	publishing sync.Mutex // held while a row is written and published
}

// NewPage returns what is kept in a store.
func NewPage(s *store.Store, publish func(beckon.Event)) *Page {
	return &Page{store: s, publish: publish}
}
