//go:build linux

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// The addresses are those that RFC 5737 keeps for documentation.
const (
	ownAddress = "192.0.2.1/24"
	nameserver = "192.0.2.53"
	nobody     = "198.51.100.7:9"
)

// device is where everything goes that is not for loopback.
type device struct {
	file *os.File

	mu       sync.Mutex
	attempts map[string]bool
}

// outside makes the device, routes everything to it, and has names looked up
// there as well.
func outside() (*device, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("open /dev/net/tun: %w", err)
	}
	request, err := unix.NewIfreq("outside")
	if err != nil {
		return nil, err
	}
	request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
	if err := unix.IoctlIfreq(fd, unix.TUNSETIFF, request); err != nil {
		return nil, fmt.Errorf("make a tun device: %w", err)
	}
	names, err := os.CreateTemp("", "beckon-netjail-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(names.Name())
	if _, err := names.WriteString("nameserver " + nameserver + "\n"); err != nil {
		return nil, err
	}
	for _, command := range []string{
		"ip link set lo up",
		"ip addr add " + ownAddress + " dev outside",
		"ip link set outside addrgenmode none", // else it greets IPv6 routers
		"ip link set outside up",
		"ip route add default dev outside",
		"mount --bind " + names.Name() + " /etc/resolv.conf",
	} {
		words := strings.Fields(command)
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w: %s", command, err, out)
		}
	}
	d := &device{file: os.NewFile(uintptr(fd), "outside"), attempts: map[string]bool{}}
	go d.read()
	return d, nil
}

// read notes where packets were meant to go, and says so at once, until the program
// ends.
func (d *device) read() {
	packet := make([]byte, 1<<16)
	for {
		n, err := d.file.Read(packet)
		if err != nil {
			return
		}
		d.note(destination(packet[:n]))
	}
}

func (d *device) note(attempt string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.attempts[attempt] && attempt != "tcp "+nobody {
		fmt.Fprintln(os.Stderr, noticed, attempt)
	}
	d.attempts[attempt] = true
}

// noticed begins the line on an attempt that was just made.
const noticed = "netjail: at this moment something tries to reach"

// destination names what a packet was for.
func destination(packet []byte) string {
	if len(packet) < 20 || packet[0]>>4 != 4 {
		return fmt.Sprintf("a packet that is no IPv4: % x", packet[:min(len(packet), 40)])
	}
	protocol := map[byte]string{1: "icmp", 6: "tcp", 17: "udp"}[packet[9]]
	to := netip.AddrFrom4([4]byte(packet[16:20]))
	transport := packet[min(len(packet), int(packet[0]&0x0f)*4):]
	if len(transport) < 4 || protocol == "icmp" {
		return fmt.Sprintf("%s %s", protocol, to)
	}
	port := binary.BigEndian.Uint16(transport[2:4])
	if to.String() == nameserver && len(transport) > 20 {
		return "the name " + question(transport[20:])
	}
	return fmt.Sprintf("%s %s:%d", protocol, to, port)
}

// question reads the name that a DNS query asks for, header cut off.
func question(query []byte) string {
	var labels []string
	for len(query) > 0 && query[0] != 0 && int(query[0]) < len(query) {
		labels = append(labels, string(query[1:1+query[0]]))
		query = query[1+query[0]:]
	}
	return strings.Join(labels, ".")
}

// proves makes sure that an attempt would be seen, by one that nobody answers.
func (d *device) proves() error {
	if c, err := net.DialTimeout("tcp", nobody, 200*time.Millisecond); err == nil {
		c.Close()
		return errors.New("something beyond loopback answers")
	}
	deadline := time.Now().Add(5 * time.Second)
	for time.Now().Before(deadline) {
		d.mu.Lock()
		seen := d.attempts["tcp "+nobody]
		delete(d.attempts, "tcp "+nobody)
		d.mu.Unlock()
		if seen {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return errors.New("an attempt to reach beyond loopback went unseen")
}

// seen returns what was tried, each once.
func (d *device) seen() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	tried := make([]string, 0, len(d.attempts))
	for attempt := range d.attempts {
		tried = append(tried, attempt)
	}
	return tried
}
