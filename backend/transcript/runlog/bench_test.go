package runlog

import (
	"bytes"
	"testing"
)

// kilobyte is a line of 1 KB.
var kilobyte = bytes.Repeat([]byte("word "), 205)

func BenchmarkAppend(b *testing.B) {
	log, err := Open(b.TempDir(), "run", counts)
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	chunk := make([][]byte, 64) // what a pipe gives at once
	for i := range chunk {
		chunk[i] = kilobyte
	}
	b.SetBytes(int64(len(chunk) * len(kilobyte)))
	b.ReportAllocs()
	lines := 0
	for b.Loop() {
		if log.next.offset > 1<<30 { // the disk's size is not what is measured
			log.undoAppend(indexer{})
		}
		if _, err := log.Append(at, chunk); err != nil {
			b.Fatal(err)
		}
		lines += len(chunk)
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
}
