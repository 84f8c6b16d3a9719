package cli

// stderrKept is how much of the end of stderr is kept for the error report.
const stderrKept = 64 << 10
