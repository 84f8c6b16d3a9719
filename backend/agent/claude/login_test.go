package claude

import "testing"

func TestWhoIsSignedInIsReadAsTheCLISaysIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Login{
		`{"loggedIn":false,"authMethod":"none","apiProvider":"firstParty"}`:                                                       {Known: true},
		`{"loggedIn":true,"authMethod":"api_key","apiProvider":"firstParty","apiKeySource":"ANTHROPIC_API_KEY"}`:                  {Known: true, SignedIn: true},
		`{"loggedIn":true,"authMethod":"claude.ai","email":"mira@acme.dev","orgId":null,"orgName":null,"subscriptionType":"max"}`: {Known: true, SignedIn: true, Email: "mira@acme.dev", Plan: "max"},
		`{"loggedIn":true,"authMethod":"claude.ai","email":null,"subscriptionType":null}`:                                         {Known: true, SignedIn: true},
		"{\"loggedIn\":true,\"email\":\"a\\u202eb\\n@c\"}":                                                                        {Known: true, SignedIn: true, Email: "ab @c"},
		`error: unknown command 'auth'`: {},
		`{}`:                            {},
		``:                              {},
	} {
		if got := ParseLogin([]byte(text)); got != want {
			t.Errorf("%s is %+v, want %+v", text, got, want)
		}
	}
}
