//go:build !darwin || cgo

package status

import "io/fs"

// iconOf returns the file of an icon; all are compiled in.
func iconOf(from fs.FS, s TrayState, dark bool, format string) []byte {
	name := map[TrayState]string{Idle: "idle", Paused: "held", Attention: "attention"}[s]
	if dark {
		name += "-on-dark"
	}
	data, err := fs.ReadFile(from, "icons/"+name+"."+format)
	if err != nil {
		panic(err)
	}
	return data
}
