package askpass

import (
	"regexp"
	"strings"

	"beckon/backend/beckon/executing"
	"beckon/backend/plain"
)

// How much of a question is shown: bytes of a line, and lines.
const (
	lineMost  = 300
	linesMost = 20
)

// What OpenSSH asks; it does not translate. The account before a server's own words is
// ssh's, so that no server can ask for the passphrase of a key in the words of ssh.
var (
	unknownHost = regexp.MustCompile(`^The authenticity of host '(\S+) \((.+?)\)' can't be established\.\r?\n`)
	fingerprint = regexp.MustCompile(`(?m)^(\S+) key fingerprint is ((?:SHA256|MD5|SHA1|SHA512):[\w+/=:]+)\.?\r?$`)
	otherNames  = regexp.MustCompile(`(?m)^    (\S.*:\d+: .*)$`)
	passphrase  = regexp.MustCompile(`^Enter passphrase for (?:key )?'?(.+?)'?: ?$`)
	password    = regexp.MustCompile(`^(\S+)'s password: ?$`)
	ofServer    = regexp.MustCompile(`^\((\S+@\S+)\) Password: ?$`)
)

// noAddress is ssh's word for an address that a jump host hides.
const noAddress = "<no hostip for proxy command>"

// Understand returns what ssh asks, fit to be shown, without an id. The hint is ssh's word
// for the kind.
func Understand(hint, prompt string) executing.Ask {
	ask := executing.Ask{Known: []string{}, Words: []string{}}
	line := func(text string) string { return plain.Line(text, lineMost) }
	switch hint {
	case "none":
		ask.Kind = executing.AskTouch
	case "confirm":
		ask.Kind = executing.AskConfirm
	default:
		host, key := unknownHost.FindStringSubmatch(prompt), fingerprint.FindStringSubmatch(prompt)
		if host != nil && key != nil {
			ask.Kind, ask.Host, ask.Key, ask.Fingerprint = executing.AskHostKey, line(host[1]), line(key[1]), line(key[2])
			if host[2] != noAddress {
				ask.Address = line(host[2])
			}
			for _, at := range otherNames.FindAllStringSubmatch(prompt, linesMost) {
				ask.Known = append(ask.Known, line(at[1]))
			}
			return ask
		}
		if of := passphrase.FindStringSubmatch(prompt); of != nil {
			ask.Kind, ask.File = executing.AskPassphrase, line(of[1])
			return ask
		}
		for _, form := range []*regexp.Regexp{password, ofServer} {
			if of := form.FindStringSubmatch(prompt); of != nil {
				ask.Kind, ask.Host = executing.AskPassword, line(of[1])
				return ask
			}
		}
		ask.Kind = executing.AskWords
	}
	for text := range strings.Lines(prompt) {
		if shown := line(text); shown != "" && len(ask.Words) < linesMost {
			ask.Words = append(ask.Words, shown)
		}
	}
	return ask
}

// affirm returns what tells ssh yes. Of a key it is the fingerprint that the user saw,
// where ssh takes that: then no other key can be meant.
func affirm(prompt string) string {
	if key := fingerprint.FindStringSubmatch(prompt); key != nil && strings.Contains(prompt, "/[fingerprint])") {
		return key[2]
	}
	return "yes"
}

// isSecret reports whether an answer can be wrong.
func isSecret(kind executing.AskKind) bool {
	return kind == executing.AskPassphrase || kind == executing.AskPassword || kind == executing.AskWords
}
