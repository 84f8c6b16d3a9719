package forge

import (
	"net/url"
	"strings"

	"beckon/backend/beckon/reviewing"
)

// mostQuery is how long the texts may be that an address takes along: servers refuse
// addresses that are longer than about 8 KB.
const mostQuery = 4000

// newPage is the address of the page that opens a pull request, with what was typed.
func newPage(r reviewing.PullRequest, o reviewing.PullOrder) string {
	if r.Server == "" {
		return ""
	}
	page := "https://" + r.Server + "/" + r.Repo
	texts := url.Values{}
	switch r.Host {
	case reviewing.GitHub:
		page += "/compare/" + escape(r.Base) + "..." + escape(r.Branch)
		texts.Set("expand", "1")
		texts.Set("title", o.Title)
		texts.Set("body", o.Body)
		shorten(texts, "body")
	case reviewing.GitLab:
		page += "/-/merge_requests/new"
		texts.Set("merge_request[source_branch]", r.Branch)
		texts.Set("merge_request[target_branch]", r.Base)
		texts.Set("merge_request[title]", titled(o))
		texts.Set("merge_request[description]", o.Body)
		shorten(texts, "merge_request[description]")
	case reviewing.OtherHost:
		return page
	}
	return page + "?" + texts.Encode()
}

// shorten leaves a text out of an address that would be too long.
func shorten(texts url.Values, name string) {
	if len(texts.Get(name)) == 0 || len(texts.Encode()) > mostQuery {
		texts.Del(name)
	}
}

// escape makes a branch part of a path; its slashes stay.
func escape(branch string) string {
	return strings.ReplaceAll(url.PathEscape(branch), "%2F", "/")
}

// pageOn returns an address that a server gave, if it is a page of that server.
func pageOn(server, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !strings.EqualFold(u.Hostname(), server) || u.User != nil || len(address) > mostQuery {
		return ""
	}
	return u.String()
}

// titled marks a draft as GitLab does.
func titled(o reviewing.PullOrder) string {
	if o.Draft {
		return "Draft: " + o.Title
	}
	return o.Title
}
