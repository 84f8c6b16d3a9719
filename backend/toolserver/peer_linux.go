package toolserver

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
)

// Checked returns the processes above the one that made the request, itself
// first, which is the one that it says it is: it holds the other end of the
// connection. nil: it does not, or the system does not show that.
func Checked(r *http.Request, claimed []int) []int {
	here, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || len(claimed) == 0 || claimed[0] <= 1 {
		return nil
	}
	inode := inodeOf(r.RemoteAddr, here.String())
	if inode == "" || !holds(claimed[0], inode) {
		return nil
	}
	return Ancestors(claimed[0])
}

// looks is how often the table of connections is read: it changes while it is
// read, so that a line may be missing.
const looks = 3

// inodeOf returns the inode of the end of a connection that is at the address
// from, "" where there is none of this user's.
func inodeOf(from, to string) string {
	for range looks {
		if inode := lookUp(from, to); inode != "" {
			return inode
		}
	}
	return ""
}

func lookUp(from, to string) string {
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return ""
	}
	local, remote := kernelForm(from), kernelForm(to)
	for line := range bytes.Lines(table) {
		f := bytes.Fields(line) // sl, local, remote, state, queues, timer, retries, uid, timeout, inode
		if len(f) > 9 && string(f[1]) == local && string(f[2]) == remote && string(f[7]) == strconv.Itoa(os.Getuid()) {
			return string(f[9])
		}
	}
	return ""
}

// kernelForm is how the kernel writes an IPv4 address and its port.
func kernelForm(address string) string {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().Unmap().Is4() {
		return ""
	}
	ip := at.Addr().Unmap().As4()
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(ip[:]), at.Port())
}

// holds reports whether a process has a socket open.
func holds(pid int, inode string) bool {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	fds, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, fd := range fds {
		if to, err := os.Readlink(filepath.Join(dir, fd.Name())); err == nil && to == "socket:["+inode+"]" {
			return true
		}
	}
	return false
}
