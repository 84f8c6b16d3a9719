package telegramtest

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"time"
	"unicode/utf16"
)

// The ages at which the service does no more.
const (
	answerable = time.Minute // of a callback query
	deletable  = 48 * time.Hour
)

// Command is one of the bot's menu.
type Command struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// handle carries out a call.
func (s *Server) handle(r request) (any, *failure) {
	if r.method == "getUpdates" {
		return s.getUpdates(r)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.method {
	case "getMe":
		return s.bot(), nil
	case "getWebhookInfo":
		return map[string]any{"url": s.webhook, "has_custom_certificate": false, "pending_update_count": len(s.updates)}, nil
	case "sendMessage":
		return s.sendMessage(r)
	case "sendDocument":
		return s.sendDocument(r)
	case "editMessageText", "editMessageReplyMarkup":
		return s.edit(r)
	case "deleteMessage":
		return s.delete(r)
	case "answerCallbackQuery":
		return s.answerQuery(r)
	case "setMyCommands":
		return s.setCommands(r)
	case "createForumTopic":
		return s.createTopic(r)
	}
	return nil, refuse(http.StatusNotFound, "Not Found")
}

func (s *Server) bot() map[string]any {
	return map[string]any{"id": BotID, "is_bot": true, "first_name": "Beckon", "username": BotName}
}

// chatOf returns the chat that a call names, if the bot may write there.
func (s *Server) chatOf(r request) (*chat, *failure) {
	id, err := strconv.ParseInt(r.form["chat_id"], 10, 64)
	if err != nil {
		return nil, s.misuse("chat_id %q is no number", r.form["chat_id"])
	}
	if to, ok := s.moved[id]; ok {
		return nil, &failure{status: http.StatusBadRequest, text: "Bad Request: group chat was upgraded to a supergroup chat", migrateTo: to}
	}
	c := s.chats[id]
	switch {
	case c == nil:
		return nil, refuse(http.StatusBadRequest, "Bad Request: chat not found")
	case c.closed != "":
		return nil, refuse(http.StatusForbidden, "Forbidden: %s", c.closed)
	}
	return c, nil
}

func (s *Server) sendMessage(r request) (any, *failure) {
	c, failed := s.chatOf(r)
	if failed != nil {
		return nil, failed
	}
	m := &Message{Text: r.form["text"]}
	if failed := s.compose(r, c, m); failed != nil {
		return nil, failed
	}
	return s.add(c, m).json(s, c), nil
}

// compose fills m in with what a call gives it.
func (s *Server) compose(r request, c *chat, m *Message) *failure {
	if r.form["parse_mode"] != "" {
		return s.misuse("a parse_mode: hostile text would be markup")
	}
	if failed := s.checkText(m.Text, maxText); failed != nil {
		return failed
	}
	entities, failed := s.checkEntities(m.Text, r.form["entities"])
	if failed != nil {
		return failed
	}
	below, failed := s.checkMarkup(r.form["reply_markup"])
	if failed != nil {
		return failed
	}
	m.Entities, m.Buttons, m.ForceReply = entities, below.Inline, below.ForceReply
	return s.place(r, c, m)
}

// place finds the topic that a message is sent to, and what it replies to.
func (s *Server) place(r request, c *chat, m *Message) *failure {
	m.Silent = m.Silent || r.form["disable_notification"] == "true"
	if text := r.form["message_thread_id"]; text != "" {
		id, err := strconv.Atoi(text)
		if _, known := c.topics[id]; err != nil || !known {
			return refuse(http.StatusBadRequest, "Bad Request: message thread not found")
		}
		m.Topic = id
	}
	if text := r.form["reply_parameters"]; text != "" {
		var to struct {
			ID      int  `json:"message_id"`
			Missing bool `json:"allow_sending_without_reply"`
		}
		if err := json.Unmarshal([]byte(text), &to); err != nil {
			return s.misuse("reply_parameters: %v", err)
		}
		if c.message(to.ID) == nil && !to.Missing {
			return refuse(http.StatusBadRequest, "Bad Request: message to be replied not found")
		}
		m.ReplyTo = to.ID
	}
	return nil
}

func (s *Server) sendDocument(r request) (any, *failure) {
	c, failed := s.chatOf(r)
	if failed != nil {
		return nil, failed
	}
	file, ok := r.files["document"]
	if !ok || file.Name == "" || len(file.Data) == 0 {
		return nil, s.misuse("there is no document in the request")
	}
	m := &Message{Text: r.form["caption"], File: &file}
	if m.Text != "" {
		if failed := s.checkText(m.Text, maxCaption); failed != nil {
			return nil, failed
		}
	}
	if failed := s.place(r, c, m); failed != nil {
		return nil, failed
	}
	return s.add(c, m).json(s, c), nil
}

// edit is editMessageText, and editMessageReplyMarkup, which leaves the text.
func (s *Server) edit(r request) (any, *failure) {
	c, failed := s.chatOf(r)
	if failed != nil {
		return nil, failed
	}
	m, failed := s.own(r, c, "edit")
	if failed != nil {
		return nil, failed
	}
	next := *m
	if r.method == "editMessageText" {
		next.Text = r.form["text"]
		if failed := s.compose(r, c, &next); failed != nil {
			return nil, failed
		}
	} else {
		below, failed := s.checkMarkup(r.form["reply_markup"])
		if failed != nil {
			return nil, failed
		}
		next.Buttons, next.ForceReply = below.Inline, below.ForceReply
	}
	switch wait := m.edited.Add(s.edits).Sub(s.now()); {
	case next.ForceReply:
		return nil, s.misuse("an edit can ask for no reply")
	case reflect.DeepEqual(next, *m):
		return nil, refuse(http.StatusBadRequest, "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	case s.edits > 0 && wait > 0:
		seconds := int((wait + time.Second - 1) / time.Second)
		return nil, &failure{status: http.StatusTooManyRequests, text: "Too Many Requests: retry after " + strconv.Itoa(seconds), retryAfter: seconds}
	}
	next.Edits++
	next.edited = s.now()
	*m = next
	s.woken()
	return m.json(s, c), nil
}

// own returns the bot's message that a call names.
func (s *Server) own(r request, c *chat, verb string) (*Message, *failure) {
	id, err := strconv.Atoi(r.form["message_id"])
	if err != nil {
		return nil, s.misuse("message_id %q is no number", r.form["message_id"])
	}
	m := c.message(id)
	switch {
	case m == nil || m.Deleted:
		return nil, refuse(http.StatusBadRequest, "Bad Request: message to %s not found", verb)
	case m.From != BotID:
		return nil, s.misuse("the bot may not %s what a person wrote: %q", verb, m.Text)
	}
	return m, nil
}

func (s *Server) delete(r request) (any, *failure) {
	c, failed := s.chatOf(r)
	if failed != nil {
		return nil, failed
	}
	m, failed := s.own(r, c, "delete")
	if failed != nil {
		return nil, failed
	}
	if s.now().Sub(m.Sent) > deletable {
		return nil, refuse(http.StatusBadRequest, "Bad Request: message can't be deleted")
	}
	m.Deleted = true
	s.woken()
	return true, nil
}

func (s *Server) answerQuery(r request) (any, *failure) {
	if n := len(utf16.Encode([]rune(r.form["text"]))); n > 200 {
		return nil, s.misuse("MESSAGE_TOO_LONG: a toast of %d units", n)
	}
	for _, q := range s.queries {
		if q.id != r.form["callback_query_id"] || q.answered {
			continue
		}
		if s.now().Sub(q.at) > answerable {
			break
		}
		q.answered, q.toast, q.alert = true, r.form["text"], r.form["show_alert"] == "true"
		s.woken()
		return true, nil
	}
	return nil, refuse(http.StatusBadRequest, "Bad Request: query is too old and response timeout expired or query ID is invalid")
}

var commandName = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

func (s *Server) setCommands(r request) (any, *failure) {
	var all []Command
	if err := json.Unmarshal([]byte(r.form["commands"]), &all); err != nil {
		return nil, s.misuse("can't parse commands: %v", err)
	}
	for _, c := range all {
		if n := len(utf16.Encode([]rune(c.Description))); !commandName.MatchString(c.Command) || n < 1 || n > 256 {
			return nil, s.misuse("BOT_COMMAND_INVALID: %+v", c)
		}
	}
	s.commands[r.form["language_code"]] = all
	s.woken()
	return true, nil
}

// Commands returns the bot's menu in a language.
func (s *Server) Commands(language string) []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands[language]
}

func (s *Server) createTopic(r request) (any, *failure) {
	c, failed := s.chatOf(r)
	if failed != nil {
		return nil, failed
	}
	name := r.form["name"]
	switch n := len(utf16.Encode([]rune(name))); {
	case !c.Forum:
		return nil, refuse(http.StatusBadRequest, "Bad Request: the chat is not a forum")
	case n < 1 || n > 128:
		return nil, s.misuse("TOPIC_NAME_INVALID: %q", name)
	}
	s.lastID++
	c.topics[s.lastID] = name
	s.woken()
	return map[string]any{"message_thread_id": s.lastID, "name": name, "icon_color": 7322096}, nil
}
