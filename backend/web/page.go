package web

import (
	"io"
	"net/http"
	"path"
	"strings"

	"beckon/backend/loopback"
)

// page sends a file of the page. Paths that name no file and have no extension are
// places within the page, so they get the page.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		loopback.WriteError(w, http.StatusMethodNotAllowed, "invalid", "this can only be read")
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if path.Ext(name) == "" && !s.assets.Has(name) {
		name = "index.html"
	}
	if !s.assets.Has(name) {
		writePage(w, http.StatusNotFound, `<p>There is nothing here. <a href="/">Go to Beckon</a>.</p>`)
		return
	}
	s.assets.Serve(w, r, name)
}

// The pages for those who may not see Beckon.
const (
	strangerPage = `<p>This browser is not signed in.</p>
<p>Open the link that <code>beckon serve</code> printed last. It works once, within ten minutes, and signs the browser
that opens it in.</p>
` + newLink

	usedPage = `<p>This link was used before, is older than ten minutes, or is not one of Beckon's. Each link works once.</p>
<p>If you opened it in this browser, <a href="/">go on to Beckon</a>. If it was never opened, and is not old, somebody
else may have used it: stop <code>beckon serve</code> and start it again, which shuts them out.</p>
` + newLink

	newLink = `<p>For a new link, send <code>beckon serve</code> the signal USR1: <code>kill -USR1 PID</code>. It prints one and its
agents go on. On Windows, start it again.</p>`
)

func writePage(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Beckon</title>
<h1>Beckon</h1>
`+body+"\n</html>\n")
}
