package runlog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// ofRun is the name of a file of a run's log: the run's id is as beckon.NewID
// makes them.
var ofRun = regexp.MustCompile(`^[a-z2-7]{26}\.(ndjson|idx)$`)

// Sweep removes the logs in dir of runs that nobody knows, once they were not
// written to for age: those of a removal that was interrupted. Whatever is not
// named as a log is left alone, and where the folder cannot be read whole
// nothing is removed.
func Sweep(dir string, known map[string]bool, age time.Duration) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var orphans []string
	for _, file := range files {
		id, _, _ := strings.Cut(file.Name(), ".")
		if !ofRun.MatchString(file.Name()) || known[id] {
			continue
		}
		info, err := file.Info()
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() && time.Since(info.ModTime()) >= age {
			orphans = append(orphans, filepath.Join(dir, file.Name()))
		}
	}
	var errs []error
	for _, path := range orphans {
		errs = append(errs, os.Remove(path))
	}
	return errors.Join(errs...)
}
