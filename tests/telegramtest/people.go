package telegramtest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Chat is where messages are. A private one has the number of its person.
type Chat struct {
	ID    int64
	Type  string // private, group or supergroup
	Title string
	Forum bool
}

type chat struct {
	Chat
	closed   string // why the bot may not write there
	topics   map[int]string
	messages []*Message
}

func (c *chat) message(id int) *Message {
	for _, m := range c.messages {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// Message is one of a chat, as it stands.
type Message struct {
	ID         int
	From       int64
	Topic      int
	Text       string
	Entities   []Entity
	Buttons    [][]Button
	ForceReply bool
	Silent     bool
	ReplyTo    int
	File       *File
	Edits      int
	Deleted    bool
	Sent       time.Time

	edited time.Time
}

// Labels returns what the buttons say, row after row.
func (m Message) Labels() []string {
	var labels []string
	for _, row := range m.Buttons {
		for _, b := range row {
			labels = append(labels, b.Text)
		}
	}
	return labels
}

// Person is somebody with a Telegram account.
type Person struct {
	ID       int64
	Name     string
	Username string
	Language string

	s *Server
}

// Person returns one who has not met the bot yet.
func (s *Server) Person(id int64, name string) *Person {
	return &Person{ID: id, Name: name, Username: strings.ToLower(name), Language: "en", s: s}
}

// Private is the chat of p and the bot, which is there once p has written.
func (p *Person) Private() int64 { return p.ID }

// Group makes a group that the bot is a member of; p added it.
func (p *Person) Group(id int64, title string, forum bool) int64 {
	kind := "group"
	if forum {
		kind = "supergroup"
	}
	p.s.locked(func() {
		c := p.s.open(Chat{ID: id, Type: kind, Title: title, Forum: forum})
		p.s.member(c, p, "left", "member")
	})
	return id
}

func (s *Server) open(of Chat) *chat {
	if s.chats[of.ID] == nil {
		s.chats[of.ID] = &chat{Chat: of, topics: map[int]string{}}
	}
	return s.chats[of.ID]
}

// Block has the bot thrown out of a chat, or blocked in a private one.
func (p *Person) Block(id int64) {
	p.s.locked(func() {
		c := p.s.chats[id]
		c.closed = "bot was kicked from the group chat"
		if id == p.ID {
			c.closed = "bot was blocked by the user"
		}
		p.s.member(c, p, "member", "kicked")
	})
}

// member tells the bot what it is in a chat from now on.
func (s *Server) member(c *chat, by *Person, before, after string) {
	s.push("my_chat_member", map[string]any{
		"chat": c.json(), "from": by.json(), "date": s.now().Unix(),
		"old_chat_member": map[string]any{"status": before, "user": s.bot()},
		"new_chat_member": map[string]any{"status": after, "user": s.bot()},
	})
}

// Migrate makes a group a supergroup of another number.
func (s *Server) Migrate(from, to int64) {
	s.locked(func() {
		old := s.chats[from]
		c := s.open(Chat{ID: to, Type: "supergroup", Title: old.Title})
		s.moved[from] = to
		s.push("message", map[string]any{"message_id": s.next(), "date": s.now().Unix(), "chat": old.json(), "migrate_to_chat_id": to})
		s.push("message", map[string]any{"message_id": s.next(), "date": s.now().Unix(), "chat": c.json(), "migrate_from_chat_id": from})
	})
}

// Type sends a text to a chat and returns the message's number.
func (p *Person) Type(chat int64, text string) int { return p.send(chat, 0, 0, text) }

// Reply sends a text as a reply to a message.
func (p *Person) Reply(chat int64, message int, text string) int {
	return p.send(chat, 0, message, text)
}

// TypeInTopic sends a text to a topic of a forum.
func (p *Person) TypeInTopic(chat int64, topic int, text string) int {
	return p.send(chat, topic, 0, text)
}

func (p *Person) send(id int64, topic, replyTo int, text string) int {
	m := &Message{From: p.ID, Topic: topic, Text: text, ReplyTo: replyTo}
	p.s.locked(func() {
		if id == p.ID {
			p.s.open(Chat{ID: id, Type: "private"}).closed = ""
		}
		c := p.s.chats[id]
		p.s.add(c, m)
		p.s.push("message", p.message(m, c))
	})
	return m.ID
}

// Speak sends a voice message as a reply.
func (p *Person) Speak(id int64, replyTo int) {
	m := &Message{From: p.ID, ReplyTo: replyTo}
	p.s.locked(func() {
		c := p.s.chats[id]
		p.s.add(c, m)
		said := p.message(m, c)
		delete(said, "text")
		said["voice"] = map[string]any{"file_id": "v", "file_unique_id": "v", "duration": 3}
		p.s.push("message", said)
	})
}

// Edit changes what p wrote before.
func (p *Person) Edit(id int64, message int, text string) {
	p.s.locked(func() {
		c := p.s.chats[id]
		m := c.message(message)
		m.Text = text
		m.Edits++
		p.s.push("edited_message", p.message(m, c))
	})
}

func (p *Person) message(m *Message, c *chat) map[string]any {
	said := m.json(p.s, c)
	said["from"] = p.json()
	if strings.HasPrefix(m.Text, "/") {
		name, _, _ := strings.Cut(m.Text, " ")
		said["entities"] = []Entity{{Type: "bot_command", Length: len(name)}}
	}
	return said
}

// Query is a press that the bot is to answer.
type Query struct {
	s *Server
	q *query
}

type query struct {
	id       string
	at       time.Time
	answered bool
	toast    string
	alert    bool
}

// Press presses the button of a message that says label, and fails the test
// where there is none.
func (p *Person) Press(chat int64, message int, label string) Query {
	p.s.t.Helper()
	m := p.s.Message(chat, message)
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Text == label {
				return p.PressData(chat, message, b.Data)
			}
		}
	}
	p.s.t.Fatalf("telegramtest: no button says %q, of %q below %q", label, m.Labels(), m.Text)
	return Query{}
}

// PressData sends callback data of p's choosing, as a forged client can.
func (p *Person) PressData(id int64, message int, data string) Query {
	q := &query{}
	p.s.locked(func() {
		q.id, q.at = strconv.Itoa(p.s.next()), p.s.now()
		p.s.queries = append(p.s.queries, q)
		c := p.s.chats[id]
		body := map[string]any{"id": q.id, "from": p.json(), "chat_instance": "1", "data": data}
		if m := c.message(message); m != nil {
			body["message"] = m.json(p.s, c)
		}
		p.s.push("callback_query", body)
	})
	return Query{p.s, q}
}

// Toast waits until the bot answered the press, and returns what it said.
func (q Query) Toast() string {
	q.s.t.Helper()
	q.s.Wait("an answer to a press", func() bool { return q.q.answered })
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	return q.q.toast
}

// Messages returns what is in a chat, without what was deleted.
func (s *Server) Messages(chat int64) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	if c := s.chats[chat]; c != nil {
		for _, m := range c.messages {
			if !m.Deleted {
				all = append(all, *m)
			}
		}
	}
	return all
}

// Message returns one message of a chat; the zero one if it is not there.
func (s *Server) Message(chat int64, id int) Message {
	for _, m := range s.Messages(chat) {
		if m.ID == id {
			return m
		}
	}
	return Message{}
}

// Topics returns the topics of a forum, by number.
func (s *Server) Topics(chat int64) map[int]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.chats[chat].topics)
}

// WaitMessage waits for a message of the bot that has all the words in it, and
// returns the newest such.
func (s *Server) WaitMessage(chat int64, words ...string) Message {
	s.t.Helper()
	var found Message
	s.Wait(fmt.Sprintf("a message in chat %d with %q", chat, words), func() bool {
		c := s.chats[chat]
		if c == nil {
			return false
		}
		for _, m := range slices.Backward(c.messages) {
			if m.From == BotID && !m.Deleted && m.has(words) {
				found = *m
				return true
			}
		}
		return false
	})
	return found
}

func (m *Message) has(words []string) bool {
	for _, w := range words {
		if !strings.Contains(m.Text, w) {
			return false
		}
	}
	return true
}

// Wait waits until is holds, which is called with the server locked. It fails
// the test where that takes too long, with what is in the chats.
func (s *Server) Wait(what string, is func() bool) {
	s.t.Helper()
	deadline := time.After(patience)
	for {
		s.mu.Lock()
		done, changed := is(), s.changed
		s.mu.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			s.t.Fatalf("telegramtest: waited in vain for %s; there is:\n%s", what, s.dump())
		}
	}
}

func (s *Server) dump() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for id, c := range s.chats {
		for _, m := range c.messages {
			fmt.Fprintf(&b, "%d/%d from %d: %q %q\n", id, m.ID, m.From, m.Text, m.Labels())
		}
	}
	return b.String()
}

// add puts a message into a chat. The lock is held.
func (s *Server) add(c *chat, m *Message) *Message {
	m.ID, m.Sent = s.next(), s.now()
	if m.From == 0 {
		m.From = BotID
	}
	c.messages = append(c.messages, m)
	s.woken()
	return m
}

func (s *Server) next() int {
	s.lastID++
	return s.lastID
}

func (c *chat) json() map[string]any {
	said := map[string]any{"id": c.ID, "type": c.Type}
	if c.Title != "" {
		said["title"] = c.Title
	}
	if c.Forum {
		said["is_forum"] = true
	}
	return said
}

func (p *Person) json() map[string]any {
	return map[string]any{"id": p.ID, "is_bot": false, "first_name": p.Name, "username": p.Username, "language_code": p.Language}
}

// json is a message as the bot reads it. What it replies to is not nested
// further.
func (m *Message) json(s *Server, c *chat) map[string]any {
	said := map[string]any{"message_id": m.ID, "date": m.Sent.Unix(), "chat": c.json(), "text": m.Text}
	if m.From == BotID {
		said["from"] = s.bot()
	}
	if m.Topic != 0 {
		said["message_thread_id"], said["is_topic_message"] = m.Topic, true
	}
	if m.File != nil {
		delete(said, "text")
		said["caption"], said["document"] = m.Text, map[string]any{"file_id": "f" + strconv.Itoa(m.ID), "file_unique_id": "u", "file_name": m.File.Name}
	}
	if of := c.message(m.ReplyTo); of != nil {
		said["reply_to_message"] = of.brief(s, c)
	}
	return said
}

func (m *Message) brief(s *Server, c *chat) map[string]any {
	alone := *m
	alone.ReplyTo = 0
	return alone.json(s, c)
}
