package bench

import (
	"os"
	"testing"
)

func TestMemoryIsReadFromTheStatusOfAProcess(t *testing.T) {
	if got, err := residentIn("Name:\tx\nVmHWM:\t  999 kB\nVmRSS:\t    12 kB\nThreads:\t1\n"); got != 12<<10 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
	if _, err := residentIn("Name:\tx\n"); err == nil {
		t.Error("no memory is no error")
	}
	if got, err := residentBytes(os.Getpid()); got < 1<<20 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
}
