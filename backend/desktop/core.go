package desktop

import (
	"os"
	"path/filepath"
)

// CoreBeside returns the path of the beckon-core that lies in a program's folder, or
// "" where there is none, as on systems that need none.
func CoreBeside(program string) string {
	core := filepath.Join(filepath.Dir(program), "beckon-core")
	if info, err := os.Stat(core); err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return ""
	}
	return core
}
