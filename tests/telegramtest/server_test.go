package telegramtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

const mira int64 = 501

// started returns a server, a bot and a person who has written to it.
func started(t *testing.T) (*Server, *bot.Bot, *Person) {
	t.Helper()
	s := New(t)
	b, err := bot.New(Token, bot.WithServerURL(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	p := s.Person(mira, "Mira")
	p.Type(p.Private(), "/start")
	return s, b, p
}

type reply struct {
	OK          bool              `json:"ok"`
	Code        int               `json:"error_code"`
	Description string            `json:"description"`
	Updates     []json.RawMessage `json:"result"`
}

// poll asks for updates as a form without parts.
func poll(t *testing.T, s *Server, form url.Values) reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/bot"+Token+"/getUpdates", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return reply{}
	}
	defer resp.Body.Close()
	var r reply
	if err := json.NewDecoder(resp.Body).Decode(&r); err != nil {
		t.Error(err)
	}
	return r
}

func TestUpdatesStayUntilAnOffsetConfirmsThem(t *testing.T) {
	t.Parallel()
	s, _, p := started(t)
	p.Type(p.Private(), "two")
	for range 2 {
		if r := poll(t, s, url.Values{}); len(r.Updates) != 2 {
			t.Fatalf("%d updates, want both each time", len(r.Updates))
		}
	}
	if r := poll(t, s, url.Values{"offset": {"2"}}); len(r.Updates) != 1 || s.Unconfirmed() != 1 {
		t.Fatalf("after the first is confirmed: %+v", r)
	}
	s.Advance(25 * time.Hour)
	if r := poll(t, s, url.Values{}); len(r.Updates) != 0 {
		t.Fatalf("an update is kept longer than a day: %+v", r)
	}
}

func TestALongPollEndsWithTheNextUpdateOrItsTime(t *testing.T) {
	t.Parallel()
	s, _, p := started(t)
	poll(t, s, url.Values{"offset": {"2"}})
	if r := poll(t, s, url.Values{"timeout": {"1"}}); !r.OK || len(r.Updates) != 0 {
		t.Fatalf("%+v", r)
	}
	heard := make(chan reply, 1)
	go func() { heard <- poll(t, s, url.Values{"timeout": {"50"}}) }()
	s.Wait("a poller", func() bool { return s.poller != nil })
	p.Type(p.Private(), "hello")
	if r := <-heard; len(r.Updates) != 1 {
		t.Fatalf("%+v", r)
	}
}

func TestASecondPollerEndsTheFirst(t *testing.T) {
	t.Parallel()
	s, _, _ := started(t)
	poll(t, s, url.Values{"offset": {"2"}})
	heard := make(chan reply, 1)
	go func() { heard <- poll(t, s, url.Values{"timeout": {"50"}}) }()
	s.Wait("a poller", func() bool { return s.poller != nil })
	poll(t, s, url.Values{})
	if r := <-heard; r.Code != http.StatusConflict {
		t.Fatalf("%+v", r)
	}
}

func TestOnlyAllowedUpdatesCome(t *testing.T) {
	t.Parallel()
	s, _, p := started(t)
	poll(t, s, url.Values{"offset": {"2"}, "allowed_updates": {`["callback_query"]`}})
	p.Type(p.Private(), "not wanted")
	if s.Unconfirmed() != 0 {
		t.Error("a message came that was not asked for")
	}
}

// refused is what must not be sent, and a part of why.
var refused = map[string]struct {
	why    string
	params bot.SendMessageParams
}{
	"too long":     {"too long", bot.SendMessageParams{Text: strings.Repeat("😀", 2049)}},
	"empty":        {"empty", bot.SendMessageParams{Text: " \n"}},
	"trimmed":      {"trimmed", bot.SendMessageParams{Text: "line\n"}},
	"markup":       {"parse_mode", bot.SendMessageParams{Text: "x", ParseMode: models.ParseModeHTML}},
	"beyond":       {"beyond", withEntity("ab", models.MessageEntity{Type: "bold", Length: 3})},
	"split":        {"splits", withEntity("😀", models.MessageEntity{Type: "bold", Length: 1})},
	"unknown type": {"cannot be sent", withEntity("ab", models.MessageEntity{Type: "url", Length: 2})},
	"no link":      {"nowhere", withEntity("ab", models.MessageEntity{Type: "text_link", Length: 2, URL: "javascript:x"})},
	"bold in code": {"overlap", withEntity("ab", models.MessageEntity{Type: "code", Length: 2}, models.MessageEntity{Type: "bold", Length: 1})},
	"crossing":     {"overlap", withEntity("abc", models.MessageEntity{Type: "italic", Length: 2}, models.MessageEntity{Type: "bold", Offset: 1, Length: 2})},
	"data of 65":   {"BUTTON_DATA_INVALID", withButton(Button{Text: "x", Data: strings.Repeat("x", 65)})},
	"no label":     {"empty", withButton(Button{Data: "x"})},
	"no action":    {"exactly one", withButton(Button{Text: "x"})},
	"unknown key":  {"unknown field", bot.SendMessageParams{Text: "x", ReplyMarkup: map[string]any{"keyboard": 1}}},
	"no chat":      {"chat not found", bot.SendMessageParams{ChatID: int64(9), Text: "x"}},
	"no topic":     {"thread not found", bot.SendMessageParams{Text: "x", MessageThreadID: 3}},
}

func withEntity(text string, e ...models.MessageEntity) bot.SendMessageParams {
	return bot.SendMessageParams{Text: text, Entities: e}
}

func withButton(b Button) bot.SendMessageParams {
	key := map[string]string{"text": b.Text}
	if b.Data != "" {
		key["callback_data"] = b.Data
	}
	return bot.SendMessageParams{Text: "x", ReplyMarkup: map[string]any{"inline_keyboard": []any{[]any{key}}}}
}

func TestWhatTheServiceRefusesIsRefused(t *testing.T) {
	t.Parallel()
	s, b, _ := started(t)
	s.Tolerate()
	for name, c := range refused {
		params := c.params
		if params.ChatID == nil {
			params.ChatID = mira
		}
		_, err := b.SendMessage(t.Context(), &params)
		if !errors.Is(err, bot.ErrorBadRequest) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
	most := bot.SendMessageParams{ChatID: mira, Text: strings.Repeat("😀", 2048), Entities: []models.MessageEntity{{Type: "bold", Length: 4096}, {Type: "italic", Length: 2}}}
	if _, err := b.SendMessage(t.Context(), &most); err != nil {
		t.Errorf("what just fits: %v", err)
	}
}

func TestEditsAreHeldToWhatChangesAndToTheRate(t *testing.T) {
	t.Parallel()
	s, b, _ := started(t)
	m, err := b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: mira, Text: "one"})
	if err != nil {
		t.Fatal(err)
	}
	edit := func(text string) error {
		_, err := b.EditMessageText(t.Context(), &bot.EditMessageTextParams{ChatID: mira, MessageID: m.ID, Text: text})
		return err
	}
	if err := edit("one"); !errors.Is(err, bot.ErrorBadRequest) || !strings.Contains(err.Error(), "message is not modified") {
		t.Error(err)
	}
	s.LimitEdits(time.Hour)
	if err := edit("two"); err != nil {
		t.Error(err)
	}
	limited := new(bot.TooManyRequestsError)
	if err := edit("three"); !errors.As(err, &limited) || limited.RetryAfter < 3000 {
		t.Error(err)
	}
	s.Advance(time.Hour)
	if err := edit("three"); err != nil {
		t.Error(err)
	}
	if got := s.Message(mira, m.ID); got.Text != "three" || got.Edits != 2 {
		t.Errorf("%+v", got)
	}
}

func TestAPressIsAnsweredOnceAndSoon(t *testing.T) {
	t.Parallel()
	s, b, p := started(t)
	params := withButton(Button{Text: "Yes", Data: "y"})
	params.ChatID = mira
	m, err := b.SendMessage(t.Context(), &params)
	if err != nil {
		t.Fatal(err)
	}
	answer := func(q Query, text string) error {
		_, err := b.AnswerCallbackQuery(t.Context(), &bot.AnswerCallbackQueryParams{CallbackQueryID: q.q.id, Text: text})
		return err
	}
	pressed := p.Press(mira, m.ID, "Yes")
	if err := answer(pressed, "done"); err != nil || pressed.Toast() != "done" {
		t.Errorf("%v", err)
	}
	if answer(pressed, "twice") == nil {
		t.Error("a press is answered twice")
	}
	late := p.Press(mira, m.ID, "Yes")
	s.Advance(2 * time.Minute)
	if err := answer(late, ""); err == nil || !strings.Contains(err.Error(), "query is too old") {
		t.Error(err)
	}
}

func TestDeletingHoldsForTwoDaysAndForTheBotsOwn(t *testing.T) {
	t.Parallel()
	s, b, p := started(t)
	s.Tolerate()
	m, err := b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: mira, Text: "one"})
	if err != nil {
		t.Fatal(err)
	}
	remove := func(id int) error {
		_, err := b.DeleteMessage(t.Context(), &bot.DeleteMessageParams{ChatID: mira, MessageID: id})
		return err
	}
	if remove(p.Type(mira, "mine")) == nil {
		t.Error("the bot deletes what a person wrote")
	}
	s.Advance(49 * time.Hour)
	if remove(m.ID) == nil {
		t.Error("a message of two days is deleted")
	}
}

func TestAFaultIsWhatTheScriptSays(t *testing.T) {
	t.Parallel()
	s, b, _ := started(t)
	send := func(text string) error {
		_, err := b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: mira, Text: text})
		return err
	}
	s.Fail(Fault{Method: "sendMessage", Status: http.StatusTooManyRequests, RetryAfter: 7})
	limited := new(bot.TooManyRequestsError)
	if err := send("one"); !errors.As(err, &limited) || limited.RetryAfter != 7 {
		t.Error(err)
	}
	s.Fail(Fault{Method: "sendMessage", Status: http.StatusBadGateway})
	s.Fail(Fault{Method: "sendMessage", Drop: true})
	for range 2 {
		if send("two") == nil {
			t.Error("no failure")
		}
	}
	s.Fail(Fault{Method: "sendMessage", Drop: true, Done: true})
	if send("three") == nil {
		t.Error("no failure")
	}
	if all := s.Messages(mira); len(all) != 2 || all[1].Text != "three" {
		t.Errorf("%+v", all)
	}
}

func TestChatsCloseAndMove(t *testing.T) {
	t.Parallel()
	s, b, p := started(t)
	group := p.Group(-42, "Crew", false)
	send := func(chat int64) error {
		_, err := b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: chat, Text: "x"})
		return err
	}
	s.Migrate(group, -10042)
	moved := new(bot.MigrateError)
	if err := send(group); !errors.As(err, &moved) || moved.MigrateToChatID != -10042 {
		t.Error(err)
	}
	if err := send(-10042); err != nil {
		t.Error(err)
	}
	p.Block(p.Private())
	if err := send(mira); !errors.Is(err, bot.ErrorForbidden) {
		t.Error(err)
	}
}

func TestTopicsDocumentsAndCommands(t *testing.T) {
	t.Parallel()
	s, b, p := started(t)
	forum := p.Group(-100, "Forum", true)
	topic, err := b.CreateForumTopic(t.Context(), &bot.CreateForumTopicParams{ChatID: forum, Name: "kestrel"})
	if err != nil || s.Topics(forum)[topic.MessageThreadID] != "kestrel" {
		t.Fatal(err)
	}
	doc := &models.InputFileUpload{Filename: "a.diff", Data: bytes.NewReader([]byte("+x"))}
	if _, err := b.SendDocument(t.Context(), &bot.SendDocumentParams{ChatID: forum, MessageThreadID: topic.MessageThreadID, Document: doc}); err != nil {
		t.Error(err)
	}
	if all := s.Messages(forum); len(all) != 1 || all[0].File.Name != "a.diff" || all[0].Topic != topic.MessageThreadID {
		t.Errorf("%+v", all)
	}
	if _, err := b.SetMyCommands(t.Context(), &bot.SetMyCommandsParams{Commands: []models.BotCommand{{Command: "waiting", Description: "What waits"}}}); err != nil || len(s.Commands("")) != 1 {
		t.Error(err)
	}
}

func TestAWrongTokenIsUnauthorized(t *testing.T) {
	t.Parallel()
	s := New(t)
	_, err := bot.New(strconv.FormatInt(BotID, 10)+":wrong", bot.WithServerURL(s.URL))
	if !errors.Is(err, bot.ErrorUnauthorized) {
		t.Error(err)
	}
}
