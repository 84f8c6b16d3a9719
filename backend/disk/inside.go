package disk

import "path/filepath"

// Inside reports whether name is the folder dir or in it, whatever links lead to either. What
// is not there yet is where its folder is.
func Inside(dir, name string) bool {
	in, err := filepath.Rel(real(dir), real(name))
	return err == nil && filepath.IsLocal(in)
}

// real is where a path leads.
func real(name string) string {
	rest := ""
	for at := name; ; at = filepath.Dir(at) {
		if there, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(there, rest)
		}
		if at == filepath.Dir(at) {
			return name
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
