// Package notify decides what the user is notified of, how, and when: news of questions, runs, work to
// review and budgets; once more where a clock runs out or nobody looked; one summary after quiet
// hours.
//
// It follows the program's events like any other client and publishes notices, which the desktop
// and the page carry out and add nothing to. Each thing is announced once; what comes in quiet hours
// is held until they end, and what was settled meanwhile is left out. What it holds does not
// outlive Beckon: a window that opens shows what waits. Texts and drawing are not its subject.
package notify
