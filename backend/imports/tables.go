package imports

import (
	"strings"

	"beckon/backend/beckon/importing"
)

// This file has the tables of what other tools call things, in lower case: Linear, Jira in
// English and German, Trello, GitHub, GitLab and vibe-kanban.

// fieldNames are the names of columns.
var fieldNames = map[string]importing.Field{
	"title": importing.Title, "summary": importing.Title, "card name": importing.Title, "name": importing.Title, "task": importing.Title,
	"zusammenfassung": importing.Title, "titel": importing.Title,
	"description": importing.Text, "body": importing.Text, "card description": importing.Text, "text": importing.Text, "notes": importing.Text,
	"beschreibung": importing.Text,
	"labels":       importing.Labels, "label": importing.Labels, "tags": importing.Labels, "stichwörter": importing.Labels, "kategorien": importing.Labels,
	"priority": importing.Priority, "priorität": importing.Priority,
	"status": importing.State, "state": importing.State, "list name": importing.State,
	"id": importing.Key, "issue key": importing.Key, "key": importing.Key, "issue id": importing.Key, "identifier": importing.Key,
	"card id": importing.Key, "vorgangsschlüssel": importing.Key, "schlüssel": importing.Key,
	"url": importing.Link, "link": importing.Link, "card url": importing.Link, "issue url": importing.Link,
}

// better are columns that are taken before others of the same field: Jira's table has the
// number of an issue in its database beside its key.
var better = map[string]bool{"title": true, "summary": true, "description": true, "issue key": true, "vorgangsschlüssel": true, "status": true, "url": true}

// priorities are the names of priorities, and Linear's numbers.
var priorities = map[string]int{
	"urgent": 4, "highest": 4, "blocker": 4, "critical": 4, "dringend": 4, "höchste": 4, "kritisch": 4, "1": 4,
	"high": 3, "major": 3, "hoch": 3, "2": 3,
	"medium": 2, "normal": 2, "mittel": 2, "3": 2,
	"low": 1, "lowest": 1, "minor": 1, "trivial": 1, "niedrig": 1, "niedrigste": 1, "gering": 1, "4": 1,
}

// columns are the states of which the rows do not go to Backlog.
var columns = map[string]importing.Column{
	"done": importing.ToDone, "closed": importing.ToDone, "resolved": importing.ToDone, "completed": importing.ToDone, "complete": importing.ToDone,
	"merged": importing.ToDone, "released": importing.ToDone, "fertig": importing.ToDone, "erledigt": importing.ToDone, "geschlossen": importing.ToDone,
	"gelöst": importing.ToDone, "abgeschlossen": importing.ToDone,
	"cancelled": "", "canceled": "", "duplicate": "", "won't do": "", "won’t do": "", "won't fix": "", "archived": "", "archive": "", "abgebrochen": "", "duplikat": "", "archiv": "",
}

// column is where the rows of a state go, unless the user says otherwise.
func column(state string) importing.Column {
	if to, known := columns[lower(state)]; known {
		return to
	}
	return importing.ToBacklog
}

func lower(name string) string { return strings.ToLower(strings.TrimSpace(name)) }
