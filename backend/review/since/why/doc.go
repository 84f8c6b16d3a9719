// Package why says why a line of a task's changes is there: which tool call of the agent wrote
// or removed it, what the agent said before, and what had been decided by then.
//
// It replays the edits that the logs of the runs name, and checks them against what the
// worktree was when turns began and ended. A line is laid to a call only if that explains it;
// what edits do not explain is laid to the commands that ran meanwhile, to one of several, or to
// nobody. It writes nothing, and knows no agent: what a call does to a file says agent.FileCall.
package why
