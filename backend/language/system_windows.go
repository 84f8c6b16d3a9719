package language

import "golang.org/x/sys/windows"

// system returns the system's word for the user's language.
func system() string {
	preferred, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(preferred) == 0 {
		return ""
	}
	return preferred[0]
}
