package main

import (
	"os"
	"sync"
)

// firstLines prints the beginning of a log: when a thousand agents lose their control plane, the
// other lines repeat the first.
type firstLines struct {
	mu   sync.Mutex
	left int
}

func (f *firstLines) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left <= 0 {
		return len(line), nil
	}
	f.left--
	return os.Stderr.Write(line)
}
