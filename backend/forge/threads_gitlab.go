package forge

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"beckon/backend/beckon/reviewing"
)

// discussionOnGitLab is a discussion on a merge request. System notes, such as of a push,
// cannot be resolved.
type discussionOnGitLab struct {
	ID    string `json:"id"`
	Notes []struct {
		ID         int       `json:"id"`
		Body       string    `json:"body"`
		CreatedAt  time.Time `json:"created_at"`
		Resolvable bool      `json:"resolvable"`
		Resolved   bool      `json:"resolved"`
		Author     struct {
			Username string `json:"username"`
		} `json:"author"`
		Position *struct {
			BaseSHA string `json:"base_sha"`
			HeadSHA string `json:"head_sha"`
			OldPath string `json:"old_path"`
			NewPath string `json:"new_path"`
			OldLine int    `json:"old_line"`
			NewLine int    `json:"new_line"` // null, so 0, of a line that was removed
		} `json:"position"`
	} `json:"notes"`
}

// threadsOnGitLab returns the discussions on a merge request. GitLab does not say what their
// lines said, but in which commit they are.
func (t tool) threadsOnGitLab(ctx context.Context, r reviewing.PullRequest) ([]thread, error) {
	list := []thread{}
	for page := 1; page <= mostPages; page++ {
		var found []discussionOnGitLab
		path := fmt.Sprintf("%s/%d/discussions?per_page=100", requestsOn(r), r.Number)
		if page > 1 {
			path += fmt.Sprintf("&page=%d", page)
		}
		if err := t.read(ctx, r, &found, "", "api", "--hostname="+r.Server, path); err != nil {
			return list, err
		}
		for _, one := range found {
			if made := one.thread(r); len(made.Said) > 0 {
				list = append(list, made)
			}
		}
		if len(found) < 100 {
			break
		}
	}
	return list, nil
}

// thread is g in our words; without a word where nobody said anything in it.
func (g discussionOnGitLab) thread(r reviewing.PullRequest) thread {
	made := thread{resolved: true, Thread: reviewing.Thread{ID: g.ID, CommentLines: reviewing.CommentLines{Side: reviewing.After}}}
	for _, note := range g.Notes {
		if !note.Resolvable {
			continue
		}
		if len(made.Said) == 0 {
			made.URL = noteOnGitLab(r, note.ID)
			if at := note.Position; at != nil {
				made.Path, made.First, made.commit = at.NewPath, max(at.NewLine, 0), at.HeadSHA
				if at.NewLine <= 0 && at.OldLine > 0 {
					made.Path, made.Side, made.First, made.commit = at.OldPath, reviewing.Before, at.OldLine, at.BaseSHA
				}
				made.Last = made.First
			}
		}
		made.resolved = made.resolved && note.Resolved
		made.Said = append(made.Said, entry(note.Author.Username, note.CreatedAt.UnixMilli(), note.Body))
	}
	return made
}

// noteOnGitLab is the page of a comment.
func noteOnGitLab(r reviewing.PullRequest, id int) string {
	if r.URL == "" {
		return ""
	}
	return fmt.Sprintf("%s#note_%d", r.URL, id)
}

// resolveOnGitLab closes a discussion.
func (t tool) resolveOnGitLab(ctx context.Context, r reviewing.PullRequest, id string) error {
	path := fmt.Sprintf("%s/%d/discussions/%s?resolved=true", requestsOn(r), r.Number, url.PathEscape(id))
	_, err := t.run(ctx, r, "", "api", "--hostname="+r.Server, "--method=PUT", path)
	return err
}
