package review

import (
	"context"
	"errors"
	"slices"
	"testing"

	"beckon/backend/beckon"
)

// kept is a repository that keeps these refs, or one that is not there.
type kept map[string]bool

func (k kept) Lost(_ context.Context, refs []string) ([]string, error) {
	if k == nil {
		return nil, errors.New("no such folder")
	}
	return slices.DeleteFunc(slices.Clone(refs), func(ref string) bool { return k[ref] }), nil
}

func TestOnlyDiscardedWorkThatIsGoneIsCalledLost(t *testing.T) {
	t.Parallel()
	repos := map[string]kept{"there": {"refs/a": true}, "away": nil}
	w := LostWork{
		Tasks: func(context.Context) ([]beckon.Task, error) {
			return []beckon.Task{
				{ID: "kept", ProjectID: "there", Resolution: beckon.Discarded, KeptRef: "refs/a"},
				{ID: "gone", ProjectID: "there", Resolution: beckon.Discarded, KeptRef: "refs/b"},
				{ID: "restored", ProjectID: "there", KeptRef: "refs/b"},
				{ID: "never kept", ProjectID: "there", Resolution: beckon.Discarded},
				{ID: "unknown", ProjectID: "away", Resolution: beckon.Discarded, KeptRef: "refs/c"},
			}, nil
		},
		Project: func(_ context.Context, id string) (beckon.Project, error) { return beckon.Project{ID: id}, nil },
		Repo:    func(p beckon.Project) LostRepo { return repos[p.ID] },
	}
	ids, err := w.Find(t.Context())
	if err != nil || !slices.Equal(ids, []string{"gone"}) {
		t.Errorf("lost are %q, %v", ids, err)
	}
}
