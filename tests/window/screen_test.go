//go:build window

package window

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"beckon/tests/client"
)

// win is Beckon's window on a screen of its own.
type win struct {
	*stage
	display string
	log     string // the file that has what Beckon and the bus said
	pid     int    // of Beckon
	session *exec.Cmd
	ended   chan error
}

// picture is what a screen shows: how many pixels there are of each colour.
type picture struct {
	png []byte
	of  map[color.RGBA]int
}

// open starts a screen, a bus and Beckon's window on them, with more arguments.
func (s *stage) open(more ...string) *win {
	s.t.Helper()
	w := &win{stage: s, display: client.Screen(s.t), log: s.At("log"), ended: make(chan error, 1)}
	out, err := os.Create(w.log)
	if err != nil {
		s.t.Fatal(err)
	}
	defer out.Close()
	// The shell tells its process id and becomes Beckon.
	begin := `echo $$ > "$0"; exec "$@"`
	os.Remove(s.At("pid")) // of an earlier window
	args := append([]string{"--", "sh", "-c", begin, s.At("pid"), s.Bin}, s.Args()...)
	w.session = exec.Command("dbus-run-session", append(args, more...)...)
	w.session.Env = s.Env(append(s.more, "DISPLAY="+w.display)...)
	w.session.Stdout, w.session.Stderr = out, out
	if err := w.session.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() { w.ended <- w.session.Wait() }()
	s.t.Cleanup(w.close)
	w.until("Beckon's process id", func() bool {
		text, _ := os.ReadFile(s.At("pid"))
		w.pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return w.pid > 0
	})
	return w
}

// command is Beckon once more, on the same screen.
func (w *win) command(args ...string) *exec.Cmd {
	cmd := exec.Command(w.Bin, append(w.Args(), args...)...)
	cmd.Env = w.Env(append(w.more, "DISPLAY="+w.display)...)
	return cmd
}

// close ends what untilEnded has not, and shows the log of a test that failed.
func (w *win) close() {
	if w.t.Failed() {
		text, _ := os.ReadFile(w.log)
		w.t.Logf("what Beckon said:\n%s", text)
	}
	if w.pid > 0 && w.session.ProcessState == nil {
		_ = syscall.Kill(w.pid, syscall.SIGTERM)
		select {
		case <-w.ended:
		case <-time.After(endIn):
			_ = syscall.Kill(w.pid, syscall.SIGKILL)
		}
	}
}

// tool runs one of X's tools on the screen and returns what it says.
func (w *win) tool(name string, args ...string) []byte {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+w.display)
	out, _ := cmd.Output() // xdotool fails where it finds nothing
	return out
}

func (w *win) until(what string, look func() bool) {
	w.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if look() {
			return
		}
	}
	w.save("failed.png")
	w.t.Fatalf("%s: not in %s; the titles are %q", what, patience, w.titles())
}

// titles returns the names of all windows that there are.
func (w *win) titles() []string {
	var list []string
	for id := range strings.FieldsSeq(string(w.tool("xdotool", "search", "--onlyvisible", "--name", "."))) {
		list = append(list, strings.TrimSpace(string(w.tool("xdotool", "getwindowname", id))))
	}
	return list
}

func (w *win) untilTitled(title string) {
	w.t.Helper()
	w.until("the title "+title, func() bool {
		for _, one := range w.titles() {
			if one == title {
				return true
			}
		}
		return false
	})
}

// press presses keys in the window. There is no window manager to give it the
// focus.
func (w *win) press(keys ...string) {
	w.t.Helper()
	id := strings.TrimSpace(string(w.tool("xdotool", "search", "--onlyvisible", "--name", "Beckon$")))
	w.tool("xdotool", "windowfocus", "--sync", id)
	for _, key := range keys {
		w.tool("xdotool", "key", key)
	}
}

func (w *win) look() picture {
	w.t.Helper()
	p := picture{png: w.tool("import", "-window", "root", "png:-"), of: map[color.RGBA]int{}}
	img, err := png.Decode(bytes.NewReader(p.png))
	if err != nil {
		w.t.Fatalf("the picture of the screen: %v", err)
	}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			p.of[color.RGBA{byte(r >> 8), byte(g >> 8), byte(b >> 8), 0xff}]++
		}
	}
	return p
}

// untilPainted waits until text and pictures are on the screen: a window that
// is blank has one colour, and one with shapes alone a few.
func (w *win) untilPainted() {
	w.t.Helper()
	w.until("a painted page", func() bool { return len(w.look().of) > 200 })
}

// save keeps a picture of the screen for people.
func (w *win) save(name string) {
	dir := filepath.Join("..", "out")
	if err := os.MkdirAll(dir, 0o755); err == nil {
		err = os.WriteFile(filepath.Join(dir, name), w.look().png, 0o644)
		if err != nil {
			w.t.Error(err)
		}
	}
}

// untilEnded asks Beckon to end and holds it to leaving nothing that runs.
func (w *win) untilEnded() {
	w.t.Helper()
	if err := syscall.Kill(w.pid, syscall.SIGTERM); err != nil {
		w.t.Fatal(err)
	}
	select {
	case err := <-w.ended:
		if err != nil {
			w.t.Errorf("the window ended with %v", err)
		}
	case <-time.After(endIn):
		w.t.Fatalf("the window did not end in %s", endIn)
	}
	for end := time.Now().Add(endIn); len(w.processes()) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("these are left:\n%s", strings.Join(w.processes(), "\n"))
		}
	}
}
