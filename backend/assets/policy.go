//go:build !dev

package assets

// CSP is the policy that the page lives under, in the window and in browsers:
// no inline script or style, no other site, no frame.
const CSP = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
