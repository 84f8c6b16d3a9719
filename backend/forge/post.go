package forge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"
	"beckon/backend/beckon/reviewing"
	"beckon/backend/git/command"
	"beckon/backend/git/diff"
)

// This file posts a comment to a pull request, at lines of its diff. Nothing is posted but what
// the user posts, and nothing twice: a comment that is there already is the one that was made.

// compared is what a server compares in a request: its newest commit with from, where that
// left the branch that it goes into.
type compared struct {
	head, from string
	base       string // the newest commit of that branch that the server compared with
	start      string // the same, as GitLab began to compare
}

// Head returns the newest commit of a task's pull request, and the lines of a file on a side
// of what that changes; of a file that is not there, there are none.
func (f *Forge) Head(ctx context.Context, taskID string, side reviewing.CommentSide, path string) (commit string, lines []string, err error) {
	x, err := f.requestOf(ctx, taskID)
	if err != nil {
		return "", nil, err
	}
	c, err := x.compare(ctx)
	if err != nil {
		return "", nil, err
	}
	tree := c.head
	if side == reviewing.Before {
		tree = c.from
	}
	files, err := diff.Lines(ctx, x.repo.git, tree, []string{path})
	return c.head, files[path], err
}

// compare returns what the server compares, with the commits of both sides fetched.
func (x target) compare(ctx context.Context) (c compared, err error) {
	if c, err = x.tool.head(ctx, x.PullRequest); err != nil {
		return c, err
	}
	for _, side := range []struct{ commit, ref string }{{c.head, requestRef(x.PullRequest)}, {c.base, "refs/heads/" + x.Base}} {
		if !command.IsCommit(side.commit) {
			return c, x.tool.failed("it did not say which commits it compares", beckon.ErrUnavailable)
		}
		if _, err := x.repo.git.Run(ctx, "cat-file", "-e", side.commit+"^{commit}"); err == nil {
			continue
		}
		if _, err := x.repo.Fetch(ctx, x.Remote, side.ref); err != nil {
			return c, err
		}
	}
	c.from, err = x.repo.git.Line(ctx, "merge-base", c.base, c.head)
	return c, err
}

func (t tool) head(ctx context.Context, r reviewing.PullRequest) (compared, error) {
	if t.name == "glab" {
		var one struct {
			DiffRefs struct {
				BaseSHA  string `json:"base_sha"`
				HeadSHA  string `json:"head_sha"`
				StartSHA string `json:"start_sha"`
			} `json:"diff_refs"`
		}
		err := t.read(ctx, r, &one, "", "api", "--hostname="+r.Server, requestsOn(r)+"/"+strconv.Itoa(r.Number))
		return compared{head: one.DiffRefs.HeadSHA, base: one.DiffRefs.BaseSHA, start: one.DiffRefs.StartSHA}, err
	}
	var one pullOnGitHub
	err := t.read(ctx, r, &one, "", "api", "--hostname="+r.Server, fmt.Sprintf("repos/%s/pulls/%d", r.Repo, r.Number))
	return compared{head: one.Head.SHA, base: one.Base.SHA}, err
}

// Describe changes the description of a task's pull request to what edit makes of it.
func (f *Forge) Describe(ctx context.Context, taskID string, edit func(was string) string) error {
	x, err := f.requestOf(ctx, taskID)
	if err != nil {
		return err
	}
	path, field, method := fmt.Sprintf("repos/%s/pulls/%d", x.Repo, x.Number), "body", "PATCH"
	if x.tool.name == "glab" {
		path, field, method = requestsOn(x.PullRequest)+"/"+strconv.Itoa(x.Number), "description", "PUT"
	}
	var is map[string]any
	if err := x.tool.read(ctx, x.PullRequest, &is, "", "api", "--hostname="+x.Server, path); err != nil {
		return err
	}
	was, _ := is[field].(string) // null where there is none
	text := edit(was)
	input, err := json.Marshal(map[string]string{field: text})
	if err != nil || text == was || len(text) > mostBody {
		return err
	}
	_, err = x.tool.run(ctx, x.PullRequest, string(input), "api", "--hostname="+x.Server, "--method="+method, "--header=Content-Type: application/json", "--input=-", path)
	return err
}

// Post posts a comment to a task's pull request, and returns the page of the discussion that
// it began, empty where that is unknown. What an earlier try brought there is found, and not
// posted a second time. A line that the diff of the request does not show is
// problem.NotInDiff.
func (f *Forge) Post(ctx context.Context, taskID string, at reviewing.Placed, text string) (page string, err error) {
	x, err := f.requestOf(ctx, taskID)
	if err != nil {
		return "", err
	}
	defer f.forget(taskID)
	c, err := x.compare(ctx)
	if err != nil {
		return "", err
	}
	if c.head != at.Commit {
		return "", problem.New(problem.NotPushed, fmt.Errorf("the request has new commits since its lines were counted: %w", beckon.ErrConflict), "path", at.Path)
	}
	before, after, err := x.namesOf(ctx, c, at)
	if err != nil {
		return "", err
	}
	if page, there, err := x.posted(ctx, at, before, after, text); err != nil || there {
		return page, err
	}
	if x.tool.name == "glab" {
		page, err = x.postOnGitLab(ctx, c, at, before, after, text)
	} else {
		page, err = x.postOnGitHub(ctx, at, after, text)
	}
	if r := (&refusedError{}); errors.As(err, &r) && position.MatchString(r.words) {
		where := fmt.Sprintf("%s:%d", at.Path, at.Last)
		err = problem.New(problem.NotInDiff, fmt.Errorf("%s takes no comment at %s, which its diff does not show: %w", x.Server, where, err), "server", x.Server, "where", where)
	}
	return pageOn(x.Server, page), err
}

// position is how servers name the place of a comment that they refuse.
var position = regexp.MustCompile(`(?i)\bline|diff.?hunk|\bposition\b|\bpath\b`)

// posted looks for what an earlier try may have posted: an open comment of the user's with
// the same words at the same line of the newest commit.
func (x target) posted(ctx context.Context, at reviewing.Placed, before, after, text string) (page string, there bool, err error) {
	me, err := x.tool.user(ctx, x.PullRequest)
	if err != nil {
		return "", false, err
	}
	all, err := x.tool.threads(ctx, x.PullRequest)
	for _, one := range all {
		said := one.Said[0]
		if !one.resolved && !one.moved && one.Side == at.Side && one.Last == at.Last && (one.Path == before || one.Path == after) &&
			said.Author == me && said.Text == entry("", 0, text).Text {
			return pageOn(x.Server, one.URL), true, err
		}
	}
	return "", false, err
}

// user returns who is signed in.
func (t tool) user(ctx context.Context, r reviewing.PullRequest) (string, error) {
	var me struct {
		Login    string `json:"login"`    // GitHub's
		Username string `json:"username"` // GitLab's
	}
	err := t.read(ctx, r, &me, "", "api", "--hostname="+r.Server, "user")
	return cmp.Or(me.Login, me.Username), err
}

func (x target) postOnGitHub(ctx context.Context, at reviewing.Placed, path, text string) (string, error) {
	side := map[reviewing.CommentSide]string{reviewing.Before: "LEFT", reviewing.After: "RIGHT"}[at.Side]
	sent := map[string]any{"body": text, "commit_id": at.Commit, "path": path, "side": side, "line": at.Last}
	if at.First < at.Last {
		sent["start_line"], sent["start_side"] = at.First, side
	}
	var made struct {
		URL string `json:"html_url"`
	}
	err := x.post(ctx, fmt.Sprintf("repos/%s/pulls/%d/comments", x.Repo, x.Number), sent, &made)
	return made.URL, err
}

// postOnGitLab posts at the last line: its API wants names of its own for the ends of several.
// A line that both sides have, GitLab knows by both its numbers.
func (x target) postOnGitLab(ctx context.Context, c compared, at reviewing.Placed, before, after, text string) (string, error) {
	position := map[string]any{
		"position_type": "text", "base_sha": c.base, "start_sha": c.start, "head_sha": c.head, "old_path": before, "new_path": after,
	}
	mine, other := "new_line", "old_line"
	if at.Side == reviewing.Before {
		mine, other = other, mine
	}
	position[mine] = at.Last
	out, err := x.repo.git.Run(ctx, "diff", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=0", c.from, c.head, "--", before, after)
	if err != nil {
		return "", err
	}
	if n := otherLine(out, at.Side, at.Last); n > 0 {
		position[other] = n
	}
	var made discussionOnGitLab
	err = x.post(ctx, fmt.Sprintf("%s/%d/discussions", requestsOn(x.PullRequest), x.Number), map[string]any{"body": text, "position": position}, &made)
	if err != nil || len(made.Notes) == 0 {
		return "", err
	}
	return noteOnGitLab(x.PullRequest, made.Notes[0].ID), nil
}

// hunkHead is the head of a hunk of a diff without context.
var hunkHead = regexp.MustCompile(`(?m)^@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@`)

// otherLine returns the number that a line of a side has on the other, by a diff without
// context; 0 where the other does not have it.
func otherLine(patch string, side reviewing.CommentSide, line int) int {
	shift := 0
	for _, m := range hunkHead.FindAllStringSubmatch(patch, -1) {
		from, to := 1, 3
		if side == reviewing.After {
			from, to = 3, 1
		}
		first, n, others := figure(m[from], 0), figure(m[from+1], 1), figure(m[to+1], 1)
		if n == 0 {
			first++ // what is not there stands behind the line that is named
		}
		switch {
		case line < first:
			return line + shift
		case line < first+n:
			return 0
		}
		shift += others - n
	}
	return line + shift
}

// figure reads a number of a hunk's head, which may be left out.
func figure(text string, otherwise int) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return otherwise
	}
	return n
}

// post sends JSON to the server's API.
func (x target) post(ctx context.Context, path string, sent, into any) error {
	input, err := json.Marshal(sent)
	if err != nil {
		return err
	}
	return x.tool.read(ctx, x.PullRequest, into, string(input), "api", "--hostname="+x.Server, "--method=POST", "--header=Content-Type: application/json", "--input=-", path)
}

// namesOf returns what the file of a comment is called on both sides of a request.
func (x target) namesOf(ctx context.Context, c compared, at reviewing.Placed) (before, after string, err error) {
	out, err := x.repo.git.Run(ctx, "diff", "--name-status", "-z", "--find-renames", "--diff-filter=R", c.from, c.head)
	if err != nil {
		return "", "", err
	}
	fields := strings.Split(out, "\x00")
	for i := 0; i+2 < len(fields); i += 3 { // R100, the old name and the new one
		if old, now := fields[i+1], fields[i+2]; at.Side == reviewing.Before && old == at.Path || at.Side == reviewing.After && now == at.Path {
			return old, now, nil
		}
	}
	return at.Path, at.Path, nil
}
