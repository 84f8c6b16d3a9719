package claude

import (
	"encoding/json"

	"beckon/backend/plain"
)

// Login is who the CLI works for. It is not known where the CLI does not say so, as
// older ones do not.
type Login struct {
	Known    bool   `json:"known"`
	SignedIn bool   `json:"signedIn"`
	Email    string `json:"email"` // empty with a key, or where it is not said
	Plan     string `json:"plan"`  // such as "max"; empty with a key
}

// longestName is how much of an address or a plan is shown, in bytes.
const longestName = 200

// ParseLogin reads what `claude auth status` prints.
func ParseLogin(text []byte) Login {
	var said struct {
		LoggedIn         *bool  `json:"loggedIn"`
		Email            string `json:"email"`
		SubscriptionType string `json:"subscriptionType"`
	}
	if json.Unmarshal(text, &said) != nil || said.LoggedIn == nil {
		return Login{}
	}
	return Login{
		Known: true, SignedIn: *said.LoggedIn,
		Email: plain.Line(said.Email, longestName), Plan: plain.Line(said.SubscriptionType, longestName),
	}
}

// StoredLogin is what the CLI's own files say of a login.
type StoredLogin struct {
	OAuth struct {
		AccessToken string `json:"accessToken"`
	} `json:"claudeAiOauth"`
	PrimaryAPIKey string `json:"primaryApiKey"`
	APIKeyHelper  string `json:"apiKeyHelper"` // a program that would say it
}

// Login returns whether somebody is signed in by that.
func (s StoredLogin) Login() Login {
	is := s.OAuth.AccessToken != "" || s.PrimaryAPIKey != ""
	return Login{Known: is || s.APIKeyHelper == "", SignedIn: is}
}
