package status

import "golang.org/x/sys/windows"

// systemLanguage returns the system's word for the user's language.
func systemLanguage() string {
	preferred, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(preferred) == 0 {
		return ""
	}
	return preferred[0]
}
