// Package api calls the Bot API of Telegram for one bot.
//
// It takes types and methods from go-telegram/bot, and polls on its own, for the
// library's loop counts an update as taken before it is handled. Errors say what
// the caller can do about them, and the bot's token is in none of them. The package
// knows chats and messages, and no question.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// Server is where the service is.
const Server = "https://api.telegram.org"

// maxReply is how much of a reply is read.
const maxReply = 16 << 20

// patience is how long a call may take, but for the long poll.
const patience = 30 * time.Second

// Client is one bot's.
type Client struct {
	url   string
	token string
	http  *http.Client
	bot   *bot.Bot
	// sleep waits between two tries of the poll.
	sleep func(context.Context, time.Duration) error
}

// New returns a client that has called nobody yet. A token that cannot be one is
// refused as the service would.
func New(server, token string) (*Client, error) {
	if !looksLikeToken(token) {
		return nil, &Error{Kind: BadToken, Detail: "this is no token of a bot"}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 4
	c := &Client{url: server, token: token, sleep: Sleep, http: &http.Client{
		Transport: transport,
		// The token is in the address, and goes to no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	b, err := bot.New(token, bot.WithSkipGetMe(), bot.WithServerURL(server), bot.WithHTTPClient(patience, c), bot.WithErrorsHandler(func(error) {}))
	if err != nil {
		return nil, c.classify("new", err)
	}
	c.bot = b
	return c, nil
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// looksLikeToken reports whether a text has the form of a token, so that one with
// a slash in it cannot lead elsewhere.
func looksLikeToken(token string) bool {
	number, secret, ok := strings.Cut(token, ":")
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	return ok && number != "" && len(token) <= 100 && strings.Trim(number, "0123456789") == "" &&
		len(secret) >= 20 && strings.Trim(secret, letters) == ""
}

// Do is how the library sends. What is no reply of the service comes back as an
// *Error, without the address, which has the token in it.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, &Error{Kind: Unreachable, Detail: c.scrub(rootOf(err).Error())}
	}
	if kind, no := noReply(resp.StatusCode); no {
		_ = resp.Body.Close() // nothing of it is read
		return nil, &Error{Kind: kind, Detail: resp.Status}
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, maxReply), resp.Body}
	return resp, nil
}

// noReply is what a status means that the library has no error for.
func noReply(status int) (Kind, bool) {
	switch status {
	case http.StatusOK, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusTooManyRequests:
		return 0, false
	}
	if status > http.StatusBadRequest && status < http.StatusInternalServerError {
		return Refused, true
	}
	return Unreachable, true
}

// Message is what is sent. Below is a keyboard, or nil; an edit without one
// removes that.
type Message struct {
	Text
	Below any
	// Topic is of a forum, and ReplyTo a message; 0 for none.
	Topic   int
	ReplyTo int
	Silent  bool
}

// off shows no preview: the service would fetch what an agent's link leads to.
func off() *models.LinkPreviewOptions {
	return &models.LinkPreviewOptions{IsDisabled: bot.True()}
}

// Me returns the bot's user name.
func (c *Client) Me(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	me, err := c.bot.GetMe(ctx)
	if err != nil {
		return "", c.classify("getMe", err)
	}
	return me.Username, nil
}

// Send sends a message and returns its number.
func (c *Client) Send(ctx context.Context, chat int64, m Message) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	params := &bot.SendMessageParams{
		ChatID: chat, MessageThreadID: m.Topic, Text: m.Plain, Entities: m.Entities,
		LinkPreviewOptions: off(), DisableNotification: m.Silent, ReplyMarkup: m.Below,
	}
	if m.ReplyTo != 0 {
		params.ReplyParameters = &models.ReplyParameters{MessageID: m.ReplyTo, AllowSendingWithoutReply: true}
	}
	sent, err := c.bot.SendMessage(ctx, params)
	if err != nil {
		return 0, c.classify("sendMessage", err)
	}
	return sent.ID, nil
}

// ForceReply has the app open a reply to the message that it is below.
func ForceReply(placeholder string) any {
	return models.ForceReply{ForceReply: true, InputFieldPlaceholder: Cut(placeholder, 64), Selective: true}
}

// Edit changes a message to m. One that reads so already is as it should be.
func (c *Client) Edit(ctx context.Context, chat int64, message int, m Message) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := c.bot.EditMessageText(ctx, &bot.EditMessageTextParams{
		ChatID: chat, MessageID: message, Text: m.Plain, Entities: m.Entities, LinkPreviewOptions: off(), ReplyMarkup: m.Below,
	})
	return c.classify("editMessageText", err)
}

// Unbutton removes what is below a message.
func (c *Client) Unbutton(ctx context.Context, chat int64, message int) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := c.bot.EditMessageReplyMarkup(ctx, &bot.EditMessageReplyMarkupParams{ChatID: chat, MessageID: message})
	return c.classify("editMessageReplyMarkup", err)
}

// Delete removes a message of the bot's.
func (c *Client) Delete(ctx context.Context, chat int64, message int) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := c.bot.DeleteMessage(ctx, &bot.DeleteMessageParams{ChatID: chat, MessageID: message})
	return c.classify("deleteMessage", err)
}

// Toast answers a press, shown over the chat, or as a box that is closed by hand.
func (c *Client) Toast(ctx context.Context, query, words string, box bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := c.bot.AnswerCallbackQuery(ctx, &bot.AnswerCallbackQueryParams{CallbackQueryID: query, Text: Cut(words, 200), ShowAlert: box})
	return c.classify("answerCallbackQuery", err)
}

// Command is one of the bot's menu.
type Command struct{ Name, Description string }

// SetMenu sets the commands that the app offers, in a language or, where that is
// empty, in all others.
func (c *Client) SetMenu(ctx context.Context, language string, menu []Command) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	params := &bot.SetMyCommandsParams{LanguageCode: language}
	for _, m := range menu {
		params.Commands = append(params.Commands, models.BotCommand{Command: m.Name, Description: m.Description})
	}
	_, err := c.bot.SetMyCommands(ctx, params)
	return c.classify("setMyCommands", err)
}

// AddTopic makes a topic in a forum and returns its number.
func (c *Client) AddTopic(ctx context.Context, chat int64, name string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	topic, err := c.bot.CreateForumTopic(ctx, &bot.CreateForumTopicParams{ChatID: chat, Name: Cut(Line(name), 128)})
	if err != nil {
		return 0, c.classify("createForumTopic", err)
	}
	return topic.MessageThreadID, nil
}

// SendFile sends a document.
func (c *Client) SendFile(ctx context.Context, chat int64, topic int, name string, data []byte) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	sent, err := c.bot.SendDocument(ctx, &bot.SendDocumentParams{
		ChatID: chat, MessageThreadID: topic, Document: &models.InputFileUpload{Filename: name, Data: bytes.NewReader(data)},
	})
	if err != nil {
		return 0, c.classify("sendDocument", err)
	}
	return sent.ID, nil
}

// call is a method that the library keeps to itself.
func (c *Client) call(ctx context.Context, method, form string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/bot"+c.token+"/"+method, strings.NewReader(form))
	if err != nil {
		return c.classify(method, err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := c.Do(req)
	if err != nil {
		return c.classify(method, err)
	}
	defer resp.Body.Close()
	var reply struct {
		OK          bool            `json:"ok"`
		Result      json.RawMessage `json:"result"`
		Code        int             `json:"error_code"`
		Description string          `json:"description"`
		Parameters  struct {
			RetryAfter int `json:"retry_after"`
		} `json:"parameters"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		return c.classify(method, fmt.Errorf("a reply that is no JSON: %w", err))
	}
	if !reply.OK {
		return c.classify(method, refusal(reply.Code, reply.Description, reply.Parameters.RetryAfter))
	}
	return c.classify(method, json.Unmarshal(reply.Result, into))
}

// refusal is the library's error for a code.
func refusal(code int, description string, retryAfter int) error {
	known := map[int]error{
		http.StatusBadRequest: bot.ErrorBadRequest, http.StatusUnauthorized: bot.ErrorUnauthorized, http.StatusForbidden: bot.ErrorForbidden,
		http.StatusNotFound: bot.ErrorNotFound, http.StatusConflict: bot.ErrorConflict,
	}
	switch {
	case code == http.StatusTooManyRequests:
		return &bot.TooManyRequestsError{Message: description, RetryAfter: retryAfter}
	case known[code] != nil:
		return fmt.Errorf("%w, %s", known[code], description)
	default:
		return errors.New(description)
	}
}
