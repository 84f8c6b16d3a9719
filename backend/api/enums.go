package api

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
	"beckon/backend/beckon/importing"
	"beckon/backend/beckon/notifying"
	"beckon/backend/beckon/remote"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/beckon/spending"
	"beckon/backend/beckon/starting"
	"beckon/backend/review/since/replay"
	"beckon/backend/review/since/why"
)

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

// Enums lists every enumeration that crosses to the page, so that the
// generated types know their words.
func Enums() []any {
	return []any{
		named(beckon.ChangeKinds), named(reviewing.CommentSides), named(reviewing.CommentStates), named(reviewing.MergeWays), named(reviewing.ConflictKinds), named(reviewing.ConflictSides), named(beckon.PermissionModes), named(beckon.Policies), named(beckon.Statuses), named(starting.Kinds), named(beckon.MissedWays), named(beckon.Resolutions),
		named(executing.Kinds), named(executing.Engines), named(executing.Reasons), named(executing.Networks), named(executing.States), named(executing.Logins), named(executing.AskKinds), named(beckon.RunKinds), named(beckon.Phases), named(beckon.Outcomes), named(beckon.Setbacks), named(beckon.ClaudeTroubles), named(beckon.AgentAsksAll), named(beckon.AgentCosts), named(beckon.Verbs),
		named(beckon.QuestionKinds), named(beckon.Settlements), named(beckon.Verdicts), named(beckon.Bys), named(beckon.AnswerWays), named(beckon.OutsideStatuses),
		named(beckon.EntryKinds), named(reviewing.TurnStates), named(reviewing.PartStates), named(beckon.FileChanges), named(beckon.FileKinds), named(beckon.Manners), named(beckon.ExportFormats),
		named(beckon.PageCallKinds), named(beckon.AwakeStates), named(beckon.BroughtKinds), named(beckon.QuitChoices),
		named(beckon.ViewFields), named(beckon.ViewGroups), named(beckon.ViewSorts), named(beckon.ViewParts),
		named(beckon.ScriptKinds), named(beckon.ScriptStates), named(reviewing.PullHosts), named(reviewing.PullStates), named(remote.Ways), named(remote.Parts), named(remote.Troubles), named(remote.Shapes),
		named(beckon.InstallWays), named(beckon.TrialKinds), named(importing.Sources), named(importing.Fields), named(importing.Columns), named(importing.Whys), named(spending.Scopes), named(spending.Levels), named(spending.Bys), named(notifying.Kinds), named(notifying.Hows), named(notifying.Whys), named(why.States), named(why.Sures), named(replay.Kinds), named(replay.Againsts), named(replay.Lacks), named(replay.Parts),
	}
}
