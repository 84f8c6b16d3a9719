package telegram

import (
	"sync"
	"time"
)

// How often the bot answers strangers.
const (
	perHour  = 3
	maxChats = 1000 // that are remembered; beyond them nobody is answered
)

// limiter counts what chats that are not paired were answered.
type limiter struct {
	mu    sync.Mutex
	chats map[int64][]time.Time
}

func newLimiter() *limiter { return &limiter{chats: map[int64][]time.Time{}} }

// allows reports whether a chat may be answered once more, and counts that.
func (l *limiter) allows(chat int64, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	hourAgo := now.Add(-time.Hour)
	if len(l.chats) >= maxChats {
		for id, times := range l.chats {
			if times[len(times)-1].Before(hourAgo) {
				delete(l.chats, id)
			}
		}
	}
	recent := l.chats[chat][:0]
	for _, at := range l.chats[chat] {
		if at.After(hourAgo) {
			recent = append(recent, at)
		}
	}
	if len(recent) >= perHour || len(recent) == 0 && len(l.chats) >= maxChats {
		return false
	}
	l.chats[chat] = append(recent, now)
	return true
}
