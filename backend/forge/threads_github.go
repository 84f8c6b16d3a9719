package forge

import (
	"context"
	"fmt"
	"strings"
	"time"

	"beckon/backend/beckon/reviewing"
)

// threadsOnGitHub is the answer to threadsQuery. Numbers of lines are null, so 0, of a comment
// on a file; those of the newest commit also where that does not have the lines any more.
type threadsOnGitHub struct {
	Data struct {
		Repository struct {
			PullRequest struct {
				ReviewThreads struct {
					PageInfo struct {
						HasNextPage bool   `json:"hasNextPage"`
						EndCursor   string `json:"endCursor"`
					} `json:"pageInfo"`
					Nodes []threadOnGitHub `json:"nodes"`
				} `json:"reviewThreads"`
			} `json:"pullRequest"`
		} `json:"repository"`
	} `json:"data"`
}

type threadOnGitHub struct {
	ID                string `json:"id"`
	IsResolved        bool   `json:"isResolved"`
	Path              string `json:"path"`
	DiffSide          string `json:"diffSide"` // LEFT or RIGHT
	StartLine         int    `json:"startLine"`
	Line              int    `json:"line"`
	OriginalStartLine int    `json:"originalStartLine"`
	OriginalLine      int    `json:"originalLine"`
	Comments          struct {
		Nodes []struct {
			URL       string    `json:"url"`
			Body      string    `json:"body"`
			CreatedAt time.Time `json:"createdAt"`
			DiffHunk  string    `json:"diffHunk"` // that ends with the lines
			Author    *struct {
				Login string `json:"login"`
			} `json:"author"`
		} `json:"nodes"`
	} `json:"comments"`
}

// threadsQuery asks for the discussions on a pull request: only they say that they are
// resolved, and only GraphQL has them.
const threadsQuery = `query($owner:String!,$name:String!,$number:Int!,$after:String){repository(owner:$owner,name:$name){pullRequest(number:$number){` +
	`reviewThreads(first:100,after:$after){pageInfo{hasNextPage endCursor}nodes{id isResolved path diffSide startLine line originalStartLine originalLine ` +
	`comments(first:20){nodes{url body createdAt diffHunk author{login}}}}}}}}`

// threadsOnGitHub returns the discussions on a pull request.
func (t tool) threadsOnGitHub(ctx context.Context, r reviewing.PullRequest) ([]thread, error) {
	owner, name, _ := strings.Cut(r.Repo, "/")
	list := []thread{}
	args := []string{
		"api", "graphql", "--hostname=" + r.Server, "--raw-field=query=" + threadsQuery,
		"--raw-field=owner=" + owner, "--raw-field=name=" + name, fmt.Sprintf("--field=number=%d", r.Number),
	}
	after := []string{}
	for range mostPages {
		var answer threadsOnGitHub
		if err := t.read(ctx, r, &answer, "", append(args[:len(args):len(args)], after...)...); err != nil {
			return list, err
		}
		page := answer.Data.Repository.PullRequest.ReviewThreads
		for _, one := range page.Nodes {
			if len(one.Comments.Nodes) > 0 {
				list = append(list, one.thread())
			}
		}
		if !page.PageInfo.HasNextPage {
			break
		}
		after = []string{"--raw-field=after=" + page.PageInfo.EndCursor}
	}
	return list, nil
}

// thread is g in our words.
func (g threadOnGitHub) thread() thread {
	last, first := g.Line, g.StartLine
	if last <= 0 { // the lines are not in the newest commit any more
		last, first = g.OriginalLine, g.OriginalStartLine
	}
	last = max(last, 0)
	if first <= 0 || first > last {
		first = last
	}
	side := reviewing.After
	if g.DiffSide == "LEFT" {
		side = reviewing.Before
	}
	head := g.Comments.Nodes[0]
	made := thread{resolved: g.IsResolved, moved: g.Line <= 0, Thread: reviewing.Thread{
		ID: g.ID, URL: head.URL,
		CommentLines: reviewing.CommentLines{Path: g.Path, Side: side, First: first, Last: last},
	}}
	if last > 0 {
		made.Quote = endOfHunk(head.DiffHunk, side, last-first+1)
	}
	for _, c := range g.Comments.Nodes {
		author := ""
		if c.Author != nil { // it may be gone
			author = c.Author.Login
		}
		made.Said = append(made.Said, entry(author, c.CreatedAt.UnixMilli(), c.Body))
	}
	return made
}

// endOfHunk returns the last lines of a hunk that are on a side.
func endOfHunk(hunk string, side reviewing.CommentSide, most int) string {
	other := "-"
	if side == reviewing.Before {
		other = "+"
	}
	lines := []string{}
	for _, line := range strings.Split(hunk, "\n") {
		if line != "" && !strings.HasPrefix(line, other) && !strings.HasPrefix(line, "@@") && !strings.HasPrefix(line, `\`) {
			lines = append(lines, line[1:])
		}
	}
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// resolveOnGitHub closes a discussion.
func (t tool) resolveOnGitHub(ctx context.Context, r reviewing.PullRequest, id string) error {
	_, err := t.run(ctx, r, "", "api", "graphql", "--hostname="+r.Server,
		"--raw-field=query=mutation($thread:ID!){resolveReviewThread(input:{threadId:$thread}){thread{id}}}", "--raw-field=thread="+id)
	return err
}
