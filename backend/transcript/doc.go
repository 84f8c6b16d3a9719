// Package transcript keeps what an agent said and turns it into what is read.
//
// A Fold turns the lines of a run's Log (runlog keeps it on disk) into entries.
// It is pure: entries get the same IDs and values wherever folding begins, so a
// page of a log can be folded alone (Around), and a better fold needs no
// migration. Entries that two pages have a part of are joined by Merge. The
// lines are the agent's, which an agent.Reader knows, and a few of Beckon's own between
// them (MessageLine, NoticeLine).
//
// Notices have these words, which the page translates: interrupted, api_error,
// api_retry, model_fallback, model_refusal_no_fallback, permission_denied,
// rate_limit_event, compacting, compact_boundary, task_notification (something
// in the background ended), feedback (a hook told the agent), hook_ended (a hook
// ended the turn), command (what a command of the CLI's printed), notification,
// unknown, and those that Beckon itself notes by NoticeLine. System lines that are
// the run's business, such as init and states, show nothing, and neither do control
// lines.
//
// The package knows nothing of processes, tasks or other runs: it leaves
// Entry.RunID and Live.RunID to its caller.
package transcript
