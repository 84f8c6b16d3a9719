//go:build !linux && !darwin

package main

import "beckon/backend/executor/shim"

// asExecutor is nothing on a system whose agents no Beckon elsewhere can run.
func asExecutor() shim.Here { return shim.Here{} }
