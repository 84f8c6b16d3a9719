// Package races says how programs run that are watched for races.
package races

// Env is a variable of theirs. They wait a second before they end otherwise, for reports
// of what still runs. What they keep of each address is mostly empty, and in pages of
// 4 KB by default, each of which costs a machine 12 µs whose page tables are software's.
const Env = "GORACE=atexit_sleep_ms=20:no_huge_pages_for_shadow=0"
