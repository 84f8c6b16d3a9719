package acpagent

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed schema.json
var published []byte

// schemas returns what the published schema says of a method's parameters and results.
var schemas = sync.OnceValue(func() (of struct{ params, results map[string]*jsonschema.Schema }) {
	of.params, of.results = map[string]*jsonschema.Schema{}, map[string]*jsonschema.Schema{}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(published))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("acp.json", whole); err != nil {
		panic(err)
	}
	for name, def := range whole.(map[string]any)["$defs"].(map[string]any) {
		method, named := def.(map[string]any)["x-method"].(string)
		if !named {
			continue
		}
		into := of.params
		if strings.HasSuffix(name, "Response") {
			into = of.results
		}
		into[method] = c.MustCompile("acp.json#/$defs/" + name)
	}
	return of
})

// fits checks a value of a method against the published schema; a method that it does not
// have may have any.
func fits(of map[string]*jsonschema.Schema, method string, raw json.RawMessage) error {
	schema := of[method]
	if schema == nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		return fmt.Errorf("%s: %s is not as the schema has it: %w", method, raw, err)
	}
	return nil
}
