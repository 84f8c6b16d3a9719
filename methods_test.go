package main

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"beckon/backend/api"
)

func TestAllThatAppExportsCanBeCalled(t *testing.T) {
	t.Parallel()
	listed := api.Methods(&api.API{})
	app := reflect.TypeFor[*App]()
	var exported []string
	for i := range app.NumMethod() {
		exported = append(exported, app.Method(i).Name)
	}
	if got := slices.Sorted(maps.Keys(listed)); !slices.Equal(got, exported) {
		t.Errorf("backend/api/methods.go lists %v, and App exports %v: run make generate", got, exported)
	}
}
