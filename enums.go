package main

import "beckon/backend/beckon"

// enum is one word of an enumeration, as Wails wants it.
type enum[T ~string] struct {
	Value  T
	TSName string
}

// named gives each word its own text as its TypeScript name.
func named[T ~string](values []T) []enum[T] {
	list := make([]enum[T], 0, len(values))
	for _, v := range values {
		list = append(list, enum[T]{v, string(v)})
	}
	return list
}

// enums lists every enumeration that crosses to the page, so that the
// generated types know their words.
func enums() []any {
	return []any{
		named(beckon.PermissionModes), named(beckon.Policies), named(beckon.Statuses),
		named(beckon.RunKinds), named(beckon.Phases), named(beckon.Outcomes), named(beckon.Verbs),
		named(beckon.QuestionKinds), named(beckon.Settlements), named(beckon.Verdicts),
		named(beckon.EntryKinds), named(beckon.FileChanges),
	}
}
