package forge

import (
	"net/url"
	"regexp"
	"strings"
)

// Address is where a repository is on a server. It is empty for what is on none, such
// as a folder.
type Address struct {
	Server string // host, such as github.com
	Repo   string // such as ada/kestrel
}

var (
	// short is the form that ssh and git know: git@github.com:ada/kestrel.git.
	short       = regexp.MustCompile(`^(?:[^@/:\s]+@)?([^@/:\s]+):([^/].*)$`)
	host        = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
	addressPath = regexp.MustCompile(`^[A-Za-z0-9_.][A-Za-z0-9_.-]*(/[A-Za-z0-9_.][A-Za-z0-9_.-]*)+$`)
)

// parse reads the address of a remote. Names and passwords in it are left out, and
// what looks like none of a server that has pull requests is an empty one: it came
// with the repository, and goes to programs.
func parse(text string) Address {
	server, repo := "", ""
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		switch u.Scheme {
		case "https", "http", "ssh", "git":
			server, repo = u.Hostname(), strings.TrimPrefix(u.Path, "/")
		}
	} else if m := short.FindStringSubmatch(text); m != nil && !strings.Contains(text, "://") && !strings.Contains(m[2], `\`) {
		server, repo = m[1], m[2]
	}
	server = strings.ToLower(server)
	repo = strings.TrimSuffix(strings.TrimSuffix(repo, "/"), ".git")
	if server == "ssh.github.com" { // ssh on port 443
		server = "github.com"
	}
	if server == "altssh.gitlab.com" {
		server = "gitlab.com"
	}
	if !host.MatchString(server) || !addressPath.MatchString(repo) || strings.Contains(repo, "..") || strings.Contains(repo, "/./") {
		return Address{}
	}
	return Address{Server: server, Repo: repo}
}
