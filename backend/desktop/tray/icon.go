//go:build !darwin || cgo

package tray

import "io/fs"

// iconOf returns the file of an icon; all are compiled in.
func iconOf(from fs.FS, s State, dark bool, format string) []byte {
	name := map[State]string{Idle: "idle", Paused: "held", Attention: "attention"}[s]
	if dark {
		name += "-on-dark"
	}
	data, err := fs.ReadFile(from, "icons/"+name+"."+format)
	if err != nil {
		panic(err)
	}
	return data
}
