//go:build packages

package packages

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"debug/pe"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"beckon/backend/agent/process"
	"beckon/backend/beckon"
	"beckon/tests/client"
	"beckon/tests/missing"
	"beckon/tests/timeout"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// winePath is where Debian has wine: the 64 bits alone, which is all that Beckon needs.
const winePath = "/usr/lib/wine/wine64"

// wine starts a program of Windows, its addresses as they always are: Debian's wine comes
// without its preloader, and of 5,000 starts one finds its heap where Windows has the page
// that all processes share, and ends ("failed to map the shared user data: c0000018").
var wine = []string{"setarch", "--addr-no-randomize", winePath}

// windowsPC is a Windows of its own, as far as wine goes.
type windowsPC struct {
	t   *testing.T
	dir string
}

// newPC makes one. Its wine can run programs of Go.
func newPC(t *testing.T) windowsPC {
	t.Helper()
	pc := windowsPC{t, t.TempDir()}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), timeout.For(time.Minute))
		defer cancel()
		stop := exec.CommandContext(ctx, "/usr/lib/wine/wineserver", "--kill", "--wait")
		stop.Env = pc.env()
		_ = stop.Run() // it fails where none runs any more
	})
	pc.run(0, "wineboot", "--init")
	said(t, "", "x86_64-w64-mingw32-gcc", "-shared", "-o", pc.at("windows/system32/bcryptprimitives.dll"), "testdata/bcryptprimitives.c", "-ladvapi32")
	return pc
}

// at is a path of drive C.
func (pc windowsPC) at(name string) string { return filepath.Join(pc.dir, "prefix/drive_c", name) }

func (pc windowsPC) env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + pc.dir, "USER=ada", "LANG=C.UTF-8", "WINEPREFIX=" + filepath.Join(pc.dir, "prefix"),
		"TMPDIR=" + pc.dir, "WINEDEBUG=-all,err+virtual", "WINEDLLOVERRIDES=mscoree,mshtml,winemenubuilder.exe=",
	}
}

// command is a program of Windows, not yet started.
func (pc windowsPC) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, wine[0], slices.Concat(wine[1:], args)...)
	cmd.Env = pc.env()
	return cmd
}

// run runs a program of Windows and returns what it says; it must end with that code.
func (pc windowsPC) run(code int, args ...string) string {
	pc.t.Helper()
	ctx, cancel := context.WithTimeout(pc.t.Context(), timeout.For(2*time.Minute))
	defer cancel()
	cmd := pc.command(ctx, args...)
	var text bytes.Buffer
	errs, err := os.Create(filepath.Join(pc.dir, "errors")) // no pipe: what Windows has running goes on writing there
	if err != nil {
		pc.t.Fatal(err)
	}
	defer errs.Close()
	cmd.Stdout, cmd.Stderr = &text, errs
	err = cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		err = nil
	}
	if err != nil || cmd.ProcessState.ExitCode() != code {
		said, _ := os.ReadFile(errs.Name())
		pc.t.Fatalf("%q ends with %v, %v; want %d\n%s%s", args, cmd.ProcessState, err, code, &text, said)
	}
	return text.String()
}

// files are the files below the users' folders, but for what is not Beckon's.
func (pc windowsPC) files() []string {
	return slices.DeleteFunc(files(pc.t, pc.at("users")), func(name string) bool { return strings.Contains(name, "/Temp/") })
}

// registered is a value of the user's registry, empty where there is none.
func (pc windowsPC) registered(key, name string) string {
	pc.t.Helper()
	query := []string{"reg", "query", `HKCU\` + key, "/v", name}
	if name == "" {
		query = []string{"reg", "query", `HKCU\` + key, "/ve"}
	}
	text, _ := pc.command(pc.t.Context(), query...).Output() // it fails where there is none
	if m := regexp.MustCompile(`REG_\w+ +(.*?)\r?\n`).FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}

// serve starts a program as `serve` that ends when it is asked to: a console of Windows
// knows no signals.
func (pc windowsPC) serve(program string) *client.Program {
	pc.t.Helper()
	script := filepath.Join(pc.dir, "serve")
	text := fmt.Sprintf("#!/bin/bash\nrm -f \"$0.in\"; mkfifo \"$0.in\"\n%s '%s' \"$@\" -guest <\"$0.in\" &\nexec 3>\"$0.in\"\n"+
		"trap 'exec 3>&-' TERM\nwhile kill -0 $! 2>/dev/null; do wait $!; code=$?; done\nexit $code\n", strings.Join(wine, " "), program)
	if err := process.WriteProgram(script, text); err != nil {
		pc.t.Fatal(err)
	}
	return client.Serve(pc.t, script, pc.env())
}

// asks has an agent on that Windows ask by `beckon mcp`, and read the answer of the one who
// sits at p.
func (pc windowsPC) asks(p *client.Program, program string) {
	pc.t.Helper()
	ctx, cancel := context.WithTimeout(pc.t.Context(), timeout.For(2*time.Minute))
	defer cancel()
	agent, err := mcpclient.NewStdioMCPClient(wine[0], pc.env(), slices.Concat(wine[1:], []string{program, "mcp"})...)
	if err != nil {
		pc.t.Fatal(err)
	}
	defer agent.Close()
	if _, err := agent.Initialize(ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.ProtocolVersion20251125, ClientInfo: mcp.Implementation{Name: "agent", Version: "1"},
	}}); err != nil {
		pc.t.Fatal(err)
	}
	read := make(chan string, 1)
	go func() {
		result, err := agent.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{
			Name: "ask_user", Arguments: map[string]any{"question": "Which side?", "options": []string{"Left", "Right"}},
		}})
		text, _ := json.Marshal(result)
		read <- fmt.Sprintf("%s %v", text, err)
	}()
	var asked beckon.Question
	p.Until("its question", timeout.For(time.Minute), func() bool {
		for _, e := range client.Must[beckon.Frame](p, "Attach", "test").Events {
			if e.Question != nil && e.Question.Settlement == beckon.Open {
				asked = *e.Question
			}
		}
		return asked.ID != ""
	})
	p.Answer(asked, "Right")
	if text := <-read; !strings.Contains(text, "Right") || !strings.HasSuffix(text, " <nil>") {
		pc.t.Errorf("the agent read %s", text)
	}
}

const (
	uninstallKey = `Software\Microsoft\Windows\CurrentVersion\Uninstall\Beckon`
	linksKey     = `Software\Classes\beckon`
	runKey       = `Software\Microsoft\Windows\CurrentVersion\Run`
)

// Where it is installed, as a path of Unix below the users' folders and as Windows has it.
const (
	installedIn     = "ada/AppData/Local/Programs/Beckon/"
	installedFolder = `C:\users\ada\AppData\Local\Programs\Beckon`
)

// TestWindowsInstaller, on a Windows as wine has it: without a question it installs for
// one person, what it installed works, a second one takes its place unless Beckon runs,
// and what it removes is gone but for the data.
func TestWindowsInstaller(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(winePath); err != nil {
		missing.Test(t, "the installer of Windows is not tried without wine, which build/setup.sh packages installs: "+err.Error())
	}
	setup := one(t, "*-setup.exe")
	_, of, _ := strings.Cut(strings.TrimSuffix(filepath.Base(setup), "-windows-amd64-setup.exe"), "beckon-")
	pc := newPC(t)
	before := pc.files()
	pc.run(0, setup, "/S")
	pc.isInstalled(before)
	pc.isRegistered(of)
	for name, subsystem := range map[string]uint16{"beckon.exe": pe.IMAGE_SUBSYSTEM_WINDOWS_GUI, "beckon-core.exe": pe.IMAGE_SUBSYSTEM_WINDOWS_CUI} {
		looksRight(t, pc.at("users/"+installedIn+name), subsystem, of)
	}
	pc.staysWhileItRuns(setup)
	pc.run(0, setup, "/S")
	pc.keptItsSettings()
	pc.isRemoved(before)
}

// core is the program of consoles.
func (pc windowsPC) core() string { return pc.at("users/" + installedIn + "beckon-core.exe") }

// isInstalled: the files are there, and no others than were before.
func (pc windowsPC) isInstalled(before []string) {
	pc.t.Helper()
	want := append(slices.Clone(before), "ada/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Beckon.lnk")
	for _, name := range []string{"CHANGELOG.md", "LICENSE.txt", "beckon-core.exe", "beckon.exe", "sbom.cdx.json", "third-party-notices.txt", "uninstall.exe"} {
		want = append(want, installedIn+name)
	}
	slices.Sort(want)
	if have := pc.files(); !slices.Equal(have, want) {
		pc.t.Fatalf("installed, there are\n%s", strings.Join(have, "\n"))
	}
	if text := notices(pc.t, pc.at("users/"+installedIn+"third-party-notices.txt")); !strings.Contains(text, "\ngithub.com/wailsapp/go-webview2 v1.") {
		pc.t.Error("what only Windows needs is under no licence")
	}
}

// isRegistered: Windows knows whose links are, and how it is removed.
func (pc windowsPC) isRegistered(version string) {
	pc.t.Helper()
	if got, want := pc.registered(linksKey+`\shell\open\command`, ""), `"`+installedFolder+`\beckon.exe" "%1"`; got != want || pc.registered(linksKey, "URL Protocol") != "" {
		pc.t.Errorf("links open %s, want %s", got, want)
	}
	if got, want := pc.registered(uninstallKey, "QuietUninstallString"), `"`+installedFolder+`\uninstall.exe" /S`; got != want {
		pc.t.Errorf("it is removed by %s, want %s", got, want)
	}
	if got := versionIn(pc.t, pc.run(0, pc.core(), "version")); got != version || pc.registered(uninstallKey, "DisplayVersion") != version {
		pc.t.Errorf("it is %s, and registered as %s; the installer is of %s", got, pc.registered(uninstallKey, "DisplayVersion"), version)
	}
}

// staysWhileItRuns: it serves and asks, and meanwhile is neither replaced nor removed.
func (pc windowsPC) staysWhileItRuns(setup string) {
	pc.t.Helper()
	p := pc.serve(pc.core())
	defer p.Close()
	settings := beckon.DefaultSettings()
	settings.Theme = "dark"
	client.Must[any](p, "SaveSettings", settings)
	if about := client.Must[beckon.About](p, "About"); about.System != "windows" || about.DataDir != `C:\users\ada\AppData\Local\beckon` || about.Build.Notices != installedFolder+`\third-party-notices.txt` {
		pc.t.Errorf("it serves %+v", about)
	}
	pc.asks(p, pc.core())
	pc.run(2, setup, "/S")
	pc.run(2, pc.at("users/"+installedIn+"uninstall.exe"), "/S", "_?="+installedFolder) // where it is, and not in a copy of itself
	if have := pc.files(); !slices.Contains(have, installedIn+"beckon.exe") || pc.registered(uninstallKey, "DisplayName") == "" {
		pc.t.Errorf("while it runs it is removed; there are\n%s", strings.Join(have, "\n"))
	}
	client.Must[beckon.About](p, "About")
}

// keptItsSettings looks for the one that staysWhileItRuns has set.
func (pc windowsPC) keptItsSettings() {
	pc.t.Helper()
	p := pc.serve(pc.core())
	defer p.Close()
	kept := slices.ContainsFunc(client.Must[beckon.Frame](p, "Attach", "test").Events, func(e beckon.Event) bool {
		return e.Settings != nil && e.Settings.Theme == "dark"
	})
	if !kept {
		pc.t.Error("after the second install the settings are not those that were set")
	}
}

// isRemoved removes it, and looks for what was not there before: the data alone.
func (pc windowsPC) isRemoved(before []string) {
	pc.t.Helper()
	pc.run(0, "reg", "add", `HKCU\`+runKey, "/v", "beckon", "/d", installedFolder+`\beckon.exe -hidden`)
	pc.run(0, pc.at("users/"+installedIn+"uninstall.exe"), "/S")
	// It goes on in a copy of itself.
	gone := func() bool {
		_, err := os.Stat(pc.at("users/" + installedIn))
		return os.IsNotExist(err) && pc.registered(uninstallKey, "DisplayName") == "" && pc.registered(runKey, "beckon") == ""
	}
	for end := time.Now().Add(timeout.For(time.Minute)); !gone() && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
	}
	if !gone() {
		pc.t.Errorf("a minute later it is registered as %q; there are\n%s", pc.registered(uninstallKey, "DisplayName"), strings.Join(pc.files(), "\n"))
	}
	left := slices.DeleteFunc(pc.files(), func(name string) bool { return strings.HasPrefix(name, "ada/AppData/Local/beckon/") })
	if !slices.Equal(left, before) {
		pc.t.Errorf("removed, there are\n%s", strings.Join(left, "\n"))
	}
	if pc.registered(linksKey+`\shell\open\command`, "") != "" {
		pc.t.Error("links still lead to it")
	}
	if _, err := os.Stat(pc.at("users/ada/AppData/Local/beckon/beckon.db")); err != nil {
		pc.t.Errorf("the data is gone: %v", err)
	}
}

// looksRight: a program is of its kind, and has what Explorer shows of it, with its version.
func looksRight(t *testing.T, program string, subsystem uint16, version string) {
	t.Helper()
	f, err := pe.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if header, is := f.OptionalHeader.(*pe.OptionalHeader64); !is || header.Subsystem != subsystem {
		t.Errorf("%s is %+v", program, f.OptionalHeader)
	}
	if info, err := buildinfo.ReadFile(program); err != nil || subsystem == pe.IMAGE_SUBSYSTEM_WINDOWS_GUI && !slices.Contains(info.Settings, debug.BuildSetting{Key: "-tags", Value: "desktop,production,wv2runtime.browser"}) {
		t.Errorf("%v; without WebView2 it would download an installer: it is built with %v", err, info)
	}
	has := said(t, "", "wrestool", "--list", program)
	for _, resource := range []string{"--type=14 --name=3 ", "--type=16 --name=1 ", "--type=24 --name=1 "} { // icons, version, manifest
		if !strings.Contains(has, resource) {
			t.Errorf("%s has no %s:\n%s", program, resource, has)
		}
	}
	var wide []byte
	for _, c := range []byte(version) {
		wide = append(wide, c, 0)
	}
	if shown := said(t, "", "wrestool", "--extract", "--raw", "--type=16", "--name=1", program); !strings.Contains(shown, string(wide)) {
		t.Errorf("%s does not say that it is %s", program, version)
	}
}
