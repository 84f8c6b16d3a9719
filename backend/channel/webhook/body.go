package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"mime"
	"strconv"
	"strings"
	"time"

	"beckon/backend/beckon/remote"
	"beckon/backend/channel"
	"beckon/backend/plain"
)

// bodies make a letter what its receiver understands. Those that people read tell
// nothing of what was settled: who did that knows.
var bodies = map[remote.Shape]func(channel.Letter) (body []byte, header map[string]string, tells bool){
	remote.JSON: asJSON, remote.Ntfy: asNtfy, remote.Slack: asSlack, remote.Discord: asDiscord,
}

// message is the JSON of a letter; docs/HOOK.md describes it.
type message struct {
	ID       string        `json:"id"`
	Event    channel.Event `json:"event"`
	Kind     string        `json:"kind,omitempty"`
	Task     string        `json:"task,omitempty"`
	Project  string        `json:"project,omitempty"`
	Title    string        `json:"title"`
	Text     string        `json:"text,omitempty"`
	Options  []string      `json:"options,omitempty"`
	Waiting  int           `json:"waiting"`
	Deadline int64         `json:"deadline,omitempty"`
	Link     string        `json:"link,omitempty"`
	Time     int64         `json:"time"`
}

func asJSON(l channel.Letter) ([]byte, map[string]string, bool) {
	return encoded(message{
		l.ID, l.Event, l.Kind, l.Task, l.Project, l.Title, l.Text, l.Options, l.Count, l.Deadline, l.Link, l.Time,
	}), ofJSON(), true
}

func encoded(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and numbers always have a form
	}
	return body
}

func ofJSON() map[string]string { return map[string]string{"Content-Type": "application/json"} }

// lines are a letter as people read it below its title.
func lines(l channel.Letter) string {
	all := []string{}
	if l.Text != "" {
		all = append(all, l.Text)
	}
	for i, o := range l.Options {
		all = append(all, strconv.Itoa(i+1)+". "+o)
	}
	return strings.Join(all, "\n")
}

// ntfyMost is what ntfy takes as a text, in bytes.
const ntfyMost = 4000

func asNtfy(l channel.Letter) ([]byte, map[string]string, bool) {
	text := lines(l)
	if text == "" {
		text = l.Title
	}
	header := map[string]string{
		"Content-Type": "text/plain; charset=utf-8", "Title": mime.BEncoding.Encode("utf-8", l.Title),
		"Priority": "default", "Tags": "raised_hand",
	}
	if l.Kind == "permission" && l.Event == channel.Asked {
		header["Priority"] = "high"
	}
	if l.Link != "" {
		header["Click"] = l.Link
	}
	return []byte(plain.Cut(text, ntfyMost)), header, l.Event != channel.Settled
}

// inSlack takes the meaning from what Slack would read as a link or a mention.
var inSlack = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func asSlack(l channel.Letter) ([]byte, map[string]string, bool) {
	whole := linked(inSlack.Replace(strings.TrimSpace(l.Title+"\n"+lines(l))), l)
	return encoded(map[string]any{"text": whole, "mrkdwn": false, "unfurl_links": false}), ofJSON(), l.Event != channel.Settled
}

// linked has the link of a letter below a text, where Slack and Discord find it.
func linked(text string, l channel.Letter) string {
	if l.Link == "" {
		return text
	}
	return text + "\n" + l.Link
}

// inDiscord takes the meaning from Discord's marks.
var inDiscord = func() *strings.Replacer {
	marks := []string{}
	for _, r := range "\\*_~`>|[]()#-@:<" {
		marks = append(marks, string(r), "\\"+string(r))
	}
	return strings.NewReplacer(marks...)
}()

// discordMost is what Discord takes, in characters.
const discordMost = 2000

func asDiscord(l channel.Letter) ([]byte, map[string]string, bool) {
	whole := inDiscord.Replace(strings.TrimSpace(l.Title + "\n" + lines(l)))
	return encoded(map[string]any{
		"content": linked(plain.Cut(whole, discordMost-len(linked("", l))), l), "allowed_mentions": map[string]any{"parse": []string{}}, "flags": suppressEmbeds,
	}), ofJSON(), l.Event != channel.Settled
}

// suppressEmbeds has Discord fetch nothing that a text names.
const suppressEmbeds = 1 << 2

// sign signs a body and its time, as receivers check it: t=SECONDS,v1=HEX, where HEX
// is the HMAC-SHA256 of "SECONDS.BODY".
func sign(key string, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(key))
	fmt.Fprintf(mac, "%s.%s", seconds, body)
	return "t=" + seconds + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}
