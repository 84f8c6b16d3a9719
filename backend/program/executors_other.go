//go:build !linux && !darwin

package program

import "beckon/backend/executor/shim"

// Here is nothing on a system whose agents no Beckon elsewhere can run.
func Here() shim.Here { return shim.Here{} }
