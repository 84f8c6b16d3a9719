//go:build !devtools

package desktop

import "os"

// closeInspector keeps WebKit from opening a port for its remote inspector,
// through which a program that sets the environment could reach the page.
func closeInspector() {
	for _, name := range []string{"WEBKIT_INSPECTOR_SERVER", "WEBKIT_INSPECTOR_HTTP_SERVER"} {
		_ = os.Unsetenv(name) // fails for names that cannot be, which these are not
	}
}
