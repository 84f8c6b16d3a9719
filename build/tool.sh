# shellcheck shell=bash
# tool prints the path of a tool that build/tools/go.mod pins, and builds it where it is
# missing: as go tool does by hand and not with the caller's flags, so that there is one.
tool() { env -u CGO_ENABLED -u GOFLAGS go tool -modfile=build/tools/go.mod -n "$1"; }
