// Yaml prints a file of YAML as JSON, for tests that look at it.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"go.yaml.in/yaml/v3"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "yaml:", err)
		os.Exit(1)
	}
}

func run(paths []string) error {
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var v map[string]any
		if err := yaml.Unmarshal(text, &v); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := json.NewEncoder(os.Stdout).Encode(v); err != nil {
			return err
		}
	}
	return nil
}
