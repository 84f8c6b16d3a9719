package main

import (
	"sync"
	"time"
)

// seldom does something that is asked for often. The zero value is ready.
type seldom struct {
	mu           sync.Mutex
	rests, asked bool
}

// ask has f run in the background: at once, or when it last ran a while ago. What is
// asked for meanwhile is one run.
func (s *seldom) ask(while time.Duration, f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rests {
		s.asked = true
		return
	}
	s.rests = true
	go func() {
		f()
		time.AfterFunc(while, func() { s.rested(while, f) })
	}()
}

func (s *seldom) rested(while time.Duration, f func()) {
	s.mu.Lock()
	asked := s.asked
	s.rests, s.asked = false, false
	s.mu.Unlock()
	if asked {
		s.ask(while, f)
	}
}
