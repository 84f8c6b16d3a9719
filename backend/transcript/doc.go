// Package transcript keeps what an agent said and turns it into what is read.
//
// It has two halves. A Log is a run's raw lines, append-only, one file with a
// sparse index beside it; a line that Append returned for survives Beckon's
// death, and one that Sync returned for survives the machine's. A Fold turns
// lines into entries. It is pure: entries get the same IDs and values wherever
// folding begins, so a page of a log can be folded alone (Around), and a better
// fold needs no migration. Entries that two pages have a part of are joined by
// Merge.
//
// Notices have these words, which the page translates: interrupted, api_error,
// api_retry, model_fallback, model_refusal_no_fallback, permission_denied,
// rate_limit_event, compacting, compact_boundary, task_notification (something
// in the background ended), feedback (a hook told the agent), command (what a
// command of the CLI's printed), notification, unknown, and those that Beckon
// itself notes by NoticeLine. System lines that are the run's business, such as
// init and states, show nothing, and neither do control lines.
//
// The package knows nothing of processes, tasks or other runs: it leaves
// Entry.RunID and Live.RunID to its caller. The lines are described in
// docs/PROTOCOL.md section 2.
package transcript
