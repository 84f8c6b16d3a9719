package awake

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"beckon/backend/desktop/bus"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"
)

// The session's own power management is asked by the portal, which GNOME and KDE answer; the
// machine's is logind's. Only suspending because nobody does anything is hindered: the screen
// may go dark, and the lid and the menu do what they do.
const (
	portal      = "org.freedesktop.portal.Desktop"
	portalPath  = "/org/freedesktop/portal/desktop"
	portalCall  = "org.freedesktop.portal.Inhibit.Inhibit"
	suspendFlag = uint32(4)
	login       = "org.freedesktop.login1"
	loginPath   = "/org/freedesktop/login1"
	loginCall   = login + ".Manager.Inhibit"
)

// available reports whether one of both is there.
func available() bool {
	return has(bus.Connect, portal) || has(bus.ConnectSystem, login)
}

func has(connect func() (*dbus.Conn, error), service string) bool {
	conn, err := connect()
	if err != nil {
		return false
	}
	var owned bool
	err = bus.CallRunning(conn.BusObject(), "org.freedesktop.DBus.NameHasOwner", []any{service}, &owned)
	return errors.Join(err, conn.Close()) == nil && owned
}

func inhibit(why string) (release func(), err error) {
	session, err := inhibitSession(why)
	machine, err2 := inhibitMachine(why)
	if err != nil && err2 != nil {
		return nil, errors.Join(err, err2)
	}
	return func() {
		for _, end := range []func(){session, machine} {
			if end != nil {
				end()
			}
		}
	}, nil
}

// inhibitSession lasts as long as its connection.
func inhibitSession(why string) (release func(), err error) {
	conn, err := bus.Connect()
	if err != nil {
		return nil, err
	}
	var handle dbus.ObjectPath
	options := map[string]dbus.Variant{"reason": dbus.MakeVariant(why)}
	if err := bus.Call(conn.Object(portal, portalPath), portalCall, []any{"", suspendFlag, options}, &handle); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return func() { _ = conn.Close() }, nil
}

// inhibitMachine lasts as long as the descriptor that logind hands over.
func inhibitMachine(why string) (release func(), err error) {
	conn, err := bus.ConnectSystem()
	if err != nil {
		return nil, err
	}
	var held dbus.UnixFD
	err = bus.CallRunning(conn.Object(login, loginPath), loginCall, []any{"idle", "Beckon", why, "block"}, &held)
	if err = errors.Join(err, conn.Close()); err != nil {
		return nil, err
	}
	unix.CloseOnExec(int(held)) // or an agent would hold it longer
	return func() { _ = unix.Close(int(held)) }, nil
}

// supplies is where the kernel lists what the computer runs on.
const supplies = "/sys/class/power_supply"

func readPower() power { return powerIn(supplies) }

// powerIn reads it. Batteries of mice and the like are none of the computer's.
func powerIn(dir string) (p power) {
	found, _ := os.ReadDir(dir) // a computer without it runs on mains
	total, batteries := 0, 0
	for _, one := range found {
		read := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(dir, one.Name(), name)) // what is not there says nothing
			return strings.TrimSpace(string(text))
		}
		if read("type") != "Battery" || read("scope") == "Device" {
			continue
		}
		left, err := strconv.Atoi(read("capacity"))
		if err != nil {
			continue
		}
		total, batteries = total+left, batteries+1
		p.battery = p.battery || read("status") == "Discharging"
	}
	if batteries > 0 {
		p.percent = total / batteries
	}
	return p
}
