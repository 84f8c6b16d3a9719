//go:build dev

package assets

// CSP is the policy of a page that `wails dev` serves: Vite puts styles into the
// document, and speaks of each change over a WebSocket of its own.
const CSP = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self' ws:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
