package mask

import (
	"strings"
	"testing"
)

const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz"

func TestSecretsAreMasked(t *testing.T) {
	t.Parallel()
	pem := "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----"
	for text, want := range map[string]string{
		"key " + key + ", then":                                 "key [masked], then",
		"sk-proj-aaaaaaaaaaaaaaaaaaaaaaaa":                      "[masked]",
		`{"command":"\nsk-proj-aaaaaaaaaaaaaaaaaaaaaaaa\n"}`:    `{"command":"\n[masked]\n"}`,
		"ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":              "[masked]",
		"gho_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.":             "[masked].",
		"github_pat_11AAAAAAA0aaaaaaaaaaaa_bbbbbbbbbbbbbbbbb":   "[masked]",
		"xoxb-123456789012-abcdefghij":                          "[masked]",
		"AKIAIOSFODNN7EXAMPLE":                                  "[masked]",
		"110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawX":         "[masked]",
		"Authorization: Bearer abc.def-123":                     "Authorization: Bearer [masked]",
		`-H "Authorization: Basic dXNlcjpwYXNz"`:                `-H "Authorization: Basic [masked]"`,
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl": "[masked]",
		pem + " after": "[masked] after",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb":                   "[masked]",
		`-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----`: "[masked]",
		"export NPM_TOKEN=abcd1234 next":                               "export NPM_TOKEN=[masked] next",
		"PASSWORD='two words' x":                                       "PASSWORD=[masked]' x",
		`DB_PASSWORD=\"hunter22\"`:                                     `DB_PASSWORD=[masked]\"`,
		`"api_key": "abcd1234"`:                                        `"api_key": "[masked]"`,
		`{\"clientSecret\":\"abcd1234\"}`:                              `{\"clientSecret\":\"[masked]\"}`,
		"postgres://user:pass@host/db":                                 "postgres://user:[masked]@host/db",
		"sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc":                        "[masked]",
		"hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ":                           "[masked]",
		"SG." + "aaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbb":      "[masked]",
		"dop_v1_" + "0123456789abcdef0123456789abcdef":                 "[masked]",
		"PASSWORD: hunter":                                             "PASSWORD: [masked]",
		"  DB_PASSWORD: s3cr3t!\n  user: me":                           "  DB_PASSWORD: [masked]\n  user: me",
		"db_password: hunter22":                                        "db_password: [masked]",
		"deploy --token abcd1234 now":                                  "deploy --token [masked] now",
		"mysql --password hunter -u me":                                "mysql --password [masked] -u me",
		`--api-key "abcd 1234"`:                                        `--api-key [masked]"`,
		"curl -H 'x-api-key: abcdefgh' host":                           "curl -H 'x-api-key: [masked]' host",
		"machine host login me password hunter":                        "machine host login me password [masked]",
		"default login me password hunter\nmachine other":              "default login me password [masked]\nmachine other",
		// Of a text that was cut, what is left of one.
		"psql postgres://admin:Super…":      "psql postgres://admin:[masked]",
		"curl -H 'Authorization: Bearer a…": "curl -H 'Authorization: Bearer [masked]",
		"export API_KEY=ab…":                "export API_KEY=[masked]",
		"mysql --password hu…":              "mysql --password [masked]",
		"use sk-ant-api…":                   "use [masked]",
		"two words of password and more…":   "two words of password and more…",
		// What is none stays.
		"hf_transfer and SG.Wikipedia.org":   "hf_transfer and SG.Wikipedia.org",
		"--token --verbose":                  "--token --verbose",
		"--token $TOKEN":                     "--token $TOKEN",
		"--password <password>":              "--password <password>",
		"token: string;":                     "token: string;",
		"secret: the one that is kept":       "secret: the one that is kept",
		"TOKEN: ${TOKEN}":                    "TOKEN: ${TOKEN}",
		"the login page asks for a password": "the login page asks for a password",
		"task-management-is-a-long-word":     "task-management-is-a-long-word",
		"max_tokens: 1000":                   "max_tokens: 1000",
		"token := lexer.Next()":              "token := lexer.Next()",
		"the bearer of news":                 "the bearer of news",
		"https://example.com:8080/a@b":       "https://example.com:8080/a@b",
		"password: string":                   "password: string",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

// TestSecretsAreMaskedAsTheyAreSeen: what nobody sees, colors, and marks of Markdown hide none, and
// none is masked in part.
func TestSecretsAreMaskedAsTheyAreSeen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"found: sk-\x1b[m\x1b[Kant-api03-abcdefghijklmnop end":                    "found: [masked] end",
		"ghp\x1b[01;31m\x1b[K_\x1b[maaaaaaaaaaaaaaaaaaaaaaaaaaaa\x1b[0m":          "[masked]\x1b[0m",
		"API_KEY=\x1b[01;31m\x1b[Ksk-ant\x1b[m\x1b[K-api03-abcdefghijklmnop\r\nx": "API_KEY=[masked]\r\nx",
		"sk-ant-api03-abcdefghijkl\u200b" + strings.Repeat("Ab", 20) + " x":       "[masked] x",
		"sk-ant\u200d-api03-abcdefgh\ufe0fijkl\u034f" + key:                       "[masked]",
		"sk-ant-\xff\xfeapi03-abcdefghijkl":                                       "[masked]",
		`ghp\_aaaaaaaaaaaaaaaaaaaaaaaaaaaa and postgres\://me\:pass\@host`:        `[masked] and postgres\://me\:[masked]@host`,
		"⟨a⟩ sk-ant⟨U+200B⟩-api03-abcdefghijkl⟨U+E0001⟩mnop":                      "⟨a⟩ [masked]",
		`"sk-\u001b[m\u001b[Kant-api03-\u200babcdefghijklmnop"`:                   `"[masked]"`,
		"sk-[m[Kant-api03-abcdefghijklmnop a[0] [K]":                              "[masked] a[0] [K]",
		"x\u200b" + key:                    "x\u200b[masked]",
		"👩\u200d💻\ufe0f " + key + ` C:\_x`: "👩\u200d💻\ufe0f [masked]" + ` C:\_x`,
		"\x1b[31mred\x1b[0m":               "\x1b[31mred\x1b[0m",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
	if got := Torn("postgres://admin:Super"); got != "postgres://admin:[masked]" {
		t.Error(got)
	}
}

// FuzzWhatIsMaskedStaysMasked: whatever hides in a text, it is taken apart without a fault, and a text
// without secrets stays as it is.
func FuzzWhatIsMaskedStaysMasked(f *testing.F) {
	f.Add("sk-\x1b[m\x1b[Kant-api03-abcdefghijklmnop", "end…")
	f.Add("\r\nTOKEN=\xff\u200b\\_abcd", "⟨U+200B⟩[K\\u001b[m")
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, text := range []string{before, after, before + " " + key + " " + after} {
			got, torn := Text(text), Torn(text)
			if strings.Contains(got, key) || strings.Contains(torn, key) {
				t.Errorf("%q is masked as %q, %q", text, got, torn)
			}
			if !strings.Contains(got, Hidden) && got != text {
				t.Errorf("%q became %q", text, got)
			}
		}
	})
}
