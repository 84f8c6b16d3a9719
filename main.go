// Beckon runs many Claude Code agents at once, gives each a hand to raise, and
// brings the answers back into their running turns.
package main

import (
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"beckon/backend/agent/claude"
	"beckon/backend/agent/claude/scripted"
	"beckon/backend/api"
	"beckon/backend/desktop"
	"beckon/backend/desktop/instance"
	"beckon/backend/executor/askpass"
	"beckon/backend/executor/shim/keeper"
	"beckon/backend/executor/tunnel"
	"beckon/backend/external"
	"beckon/backend/external/hooks"
	"beckon/backend/program"
	"beckon/frontend/messages"
)

//go:embed all:frontend/dist
var dist embed.FS

// The build sets them: the version, the commit that it was built from with its day, and
// the repository of its releases at GitHub.
var version, commit, date, repository = "dev", "", "", ""

// garbagePercent is how much garbage may pile up, of what is in use. It is less than
// Go's own: this program lies in wait all day, and what it holds matters more than what
// its collector costs. With half as much as Go's own, reading transcripts cost a seventh more.
const garbagePercent = 75

const usage = `Beckon runs many Claude Code agents at once and brings you their questions.

  beckon           the window; with beckon://task/KES-47 or a folder, at that
  beckon serve     the same in a browser; prints its address as one JSON line
  beckon demo      a sample project with a scripted agent: no account, no network
  beckon mcp       lends ask_user to any agent: claude mcp add beckon -- beckon mcp
  beckon hooks     install, status or remove the hook by which sessions that were
                   started elsewhere are answered here
  beckon run NAME  makes a card of what repeats; KEY/NAME where projects share it
  beckon version   the version

Flags, after the command:
`

func main() {
	if scripted.Playing() {
		os.Exit(scripted.Play(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	if socket := os.Getenv(askpass.Var); socket != "" { // ssh started it
		os.Exit(askpass.Main(socket, os.Args[1:], os.Stdout))
	}
	debug.SetGCPercent(garbagePercent)
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "beckon:", err)
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	program.Options
	command string
	action  string   // of hooks; of run, the name
	yes     bool     // of hooks
	words   []string // of shim
}

func parse(args []string) (options, error) {
	o := options{command: "window", Options: program.Options{Build: build()}}
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' && !instance.IsTarget(args[0]) {
		o.command, args = args[0], args[1:]
	}
	if (o.command == "hooks" || o.command == "run") && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		o.action, args = args[0], args[1:]
	}
	if o.command == "shim" { // its words are another Beckon's
		o.words = args
		return o, nil
	}
	flags := flag.NewFlagSet("beckon", flag.ContinueOnError)
	flags.StringVar(&o.Addr, "addr", "127.0.0.1:0", "where serve listens; loopback only")
	flags.StringVar(&o.Data, "data", program.DataHome(), "the data folder")
	flags.StringVar(&o.Claude, "claude", "", "the claude program (default: found on PATH)")
	flags.StringVar(&o.Public, "public", "", "where serve listens for phones with a certificate, once phones are switched on in Settings")
	flags.StringVar(&o.CertFile, "cert", "", "the certificate of -public, with its chain (PEM)")
	flags.StringVar(&o.KeyFile, "key", "", "its key (PEM)")
	flags.BoolVar(&o.Hidden, "hidden", false, "start the window in the tray, where there is one")
	flags.BoolVar(&o.yes, "yes", false, "have hooks change the settings without asking")
	flags.BoolVar(&o.Guest, "guest", false, "show the demo in a browser, and end it with the standard input")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	data, err := filepath.Abs(o.Data) // SQLite reads a relative path as the host of a URI
	if err != nil {
		return o, err
	}
	o.Data = data
	return o, errors.Join(o.checkPublic(), o.parseRest(flags.Args()))
}

// checkPublic refuses what would serve phones otherwise than the user means.
func (o *options) checkPublic() error {
	switch {
	case o.Public == "" && o.CertFile == "" && o.KeyFile == "":
		return nil
	case o.command != "serve":
		return errors.New("-public, -cert and -key are of serve")
	case o.Public == "" || o.CertFile == "" || o.KeyFile == "":
		return errors.New("-public, -cert and -key go together: an address, a certificate and its key")
	}
	if _, _, err := net.SplitHostPort(o.Public); err != nil {
		return fmt.Errorf("-public %q is not HOST:PORT, such as :8443: %w", o.Public, err)
	}
	return nil
}

// parseRest reads what follows the flags: one thing to show, and only for the
// window. A link comes from anywhere, so nothing that follows it is a flag.
func (o *options) parseRest(args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case len(args) > 1 || o.command != "window" || !instance.IsTarget(args[0]):
		return fmt.Errorf("%q is not understood; try beckon -help", args[len(args)-1])
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	o.Show, err = instance.ParseTarget(args[0], dir)
	return err
}

func run(args []string, stdout io.Writer) error {
	if desktop.Generating {
		return errors.Join(api.WriteMethods(), (&desktop.Window{API: &App{}, Enums: api.Enums()}).Run())
	}
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	switch o.command {
	case "window":
		return program.Window(o.Options)
	case "serve":
		return program.Serve(o.Options, stdout)
	case "demo":
		return program.Demo(o.Options, stdout)
	case "mcp":
		ctx, stop := desktop.UntilSignal()
		defer stop()
		return external.Serve(ctx, o.Data, os.Stdin, stdout, os.Stderr)
	case "hook":
		ctx, stop := desktop.UntilSignal()
		defer stop()
		external.Hook(ctx, o.Data, os.Stdin, os.Stdout)
		return nil
	case "hooks":
		return hooksCLI(o, stdout)
	case "run":
		if o.action == "" {
			return errors.New("name what repeats, as in beckon run nightly; the project's settings have the names")
		}
		ctx, stop := desktop.UntilSignal()
		defer stop()
		return external.Run(ctx, o.Data, o.action, stdout)
	case "shim":
		if slices.Equal(o.words, []string{"tunnel"}) {
			return tunnel.Command(os.Stdin, stdout)
		}
		return keeper.Command(o.words, os.Stdin, os.Stdout, program.Here())
	case "version":
		_, err := fmt.Fprintln(stdout, strings.Join(strings.Fields("beckon "+version+" "+commit+" "+date), " "))
		return err
	default:
		return fmt.Errorf("there is no command %q; try beckon -help", o.command)
	}
}

// hooksCLI is `beckon hooks`.
func hooksCLI(o options, stdout io.Writer) error {
	command, err := program.HookCommand(o.Data)
	if err != nil {
		return err
	}
	return hooks.CLI{
		In: os.Stdin, Out: stdout, Yes: o.yes, ConfigDir: claude.ConfigDir(os.Environ()), Command: command,
	}.Run(o.action)
}

// build returns what the build put into this program.
func build() program.Build {
	return program.Build{
		Version: version, Commit: commit, Date: date, Repository: repository,
		Page: below(dist, "frontend/dist"), Messages: messages.Files,
		Bind: func(a *api.API) any { return &App{a} },
	}
}

// below returns the files of a folder that is built in.
func below(files fs.FS, dir string) fs.FS {
	sub, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // the folder is compiled in
	}
	return sub
}
