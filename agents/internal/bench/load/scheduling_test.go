package load

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestWaitsForAProcessorMakeARunVoid(t *testing.T) {
	r := newRecord(0, time.Second, nil)
	r.addArrival(0, 0)
	addAt(r, 0, 900*ms, 900*ms, 901*ms, nil) // sent as soon as its user was free
	var busy sync.WaitGroup
	for range 8 * runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			for range 50 {
				for began := time.Now(); time.Since(began) < ms; {
				}
				runtime.Gosched()
			}
		})
	}
	busy.Wait()
	report := reportOf(r)
	if reasons := strings.Join(report.VoidReasons, "; "); report.SchedulingP99 < 2 || !strings.Contains(reasons, "waited for a processor") {
		t.Errorf("goroutines waited for %v ms: %s", report.SchedulingP99, reasons)
	}
}
