package main

import (
	"maps"
	"reflect"
	"slices"
	"testing"
)

func TestAllThatAppExportsCanBeCalled(t *testing.T) {
	t.Parallel()
	listed := (&App{}).methods()
	app := reflect.TypeFor[*App]()
	var exported []string
	for i := range app.NumMethod() {
		exported = append(exported, app.Method(i).Name)
	}
	if got := slices.Sorted(maps.Keys(listed)); !slices.Equal(got, exported) {
		t.Errorf("methods.go lists %v, and App exports %v: run make generate", got, exported)
	}
}
