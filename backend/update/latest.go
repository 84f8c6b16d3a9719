package update

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/mod/semver"

	"beckon/backend/beckon"
	"beckon/backend/channel/egress"
)

// most is how long an answer may be. Those of GitHub have the notes of the release and
// a list of its files.
const most = 1 << 20

// longest is how long the name of a version may be.
const longest = 40

// latest asks for the newest release.
func (w *Watch) latest(ctx context.Context) (beckon.ReleaseNotice, error) {
	var none beckon.ReleaseNotice
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.server+"/repos/"+w.Repository+"/releases/latest", nil)
	if err != nil {
		return none, err
	}
	r.Header.Set("Accept", "application/vnd.github+json")
	r.Header.Set("User-Agent", "beckon") // GitHub wants one
	answer, err := w.client.Do(r)
	if err != nil {
		detail, _ := egress.Explain(err)
		return none, errors.New(detail)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return none, fmt.Errorf("the answer is %s", answer.Status)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, most+1))
	if err != nil {
		return none, err
	}
	if len(body) > most {
		return none, errors.New("the answer is too long")
	}
	return read(body, "https://github.com/"+w.Repository+"/releases/tag/")
}

// read returns the version that an answer names. Its link is that version's page below
// pages, and no other.
func read(body []byte, pages string) (beckon.ReleaseNotice, error) {
	var said struct {
		Tag        string `json:"tag_name"`
		Page       string `json:"html_url"`
		Draft      bool   `json:"draft"`
		Prerelease bool   `json:"prerelease"`
	}
	if err := json.Unmarshal(body, &said); err != nil {
		return beckon.ReleaseNotice{}, fmt.Errorf("the answer is not what was asked for: %w", err)
	}
	version, tagged := strings.CutPrefix(said.Tag, "v")
	switch {
	case said.Draft || said.Prerelease:
		return beckon.ReleaseNotice{}, errors.New("the newest release is none yet")
	case !tagged || !stable(version):
		return beckon.ReleaseNotice{}, errors.New("the newest release has no version that Beckon knows")
	case said.Page != pages+said.Tag:
		return beckon.ReleaseNotice{}, errors.New("the newest release is described elsewhere than it should be")
	}
	return beckon.ReleaseNotice{Version: version, Page: said.Page}, nil
}

// stable reports whether s is a whole version as 1.2.3, of nothing that is tried out.
func stable(s string) bool {
	v := "v" + s
	return len(s) <= longest && semver.IsValid(v) && semver.Canonical(v) == v && semver.Prerelease(v) == ""
}

// newer reports whether a version comes after this program's. A program that was built
// from no version has nothing newer.
func newer(found, own string) bool {
	return stable(found) && semver.IsValid("v"+own) && semver.Compare("v"+found, "v"+own) > 0
}
