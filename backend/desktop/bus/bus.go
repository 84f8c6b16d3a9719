// Package bus finds the desktop's session bus, and the machine's, where there is one. It never
// starts one: a bus of Beckon's own would have nobody on it, and outlive it.
package bus

import (
	"context"
	"errors"
	"time"

	"github.com/godbus/dbus/v5"
)

// Patience is how long the desktop may take to answer. Nothing of Beckon's
// hangs because a panel does.
const Patience = 2 * time.Second

// Connect returns a connection of its own, which the caller closes.
func Connect() (*dbus.Conn, error) { return greet(dbus.SessionBusPrivateNoAutoStartup()) }

// ConnectSystem does that with the machine's bus, on which logind is.
func ConnectSystem() (*dbus.Conn, error) { return greet(dbus.SystemBusPrivate()) }

func greet(conn *dbus.Conn, err error) (*dbus.Conn, error) {
	if err != nil {
		return nil, err
	}
	if err := conn.Auth(nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if err := conn.Hello(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// Call calls a method, starting the service if it does not run, waits for at most
// Patience, and stores what it returns.
func Call(o dbus.BusObject, method string, args []any, results ...any) error {
	return call(o, 0, method, args, results)
}

// CallRunning is Call for a service that runs already: it starts none.
func CallRunning(o dbus.BusObject, method string, args []any, results ...any) error {
	return call(o, dbus.FlagNoAutoStart, method, args, results)
}

// Ask calls a method of a service that runs already, on a connection that is
// made for it.
func Ask(service string, path dbus.ObjectPath, method string, args []any, result any) error {
	conn, err := Connect()
	if err != nil {
		return err
	}
	return errors.Join(CallRunning(conn.Object(service, path), method, args, result), conn.Close())
}

func call(o dbus.BusObject, flags dbus.Flags, method string, args, results []any) error {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	return o.CallWithContext(ctx, method, flags, args...).Store(results...)
}
