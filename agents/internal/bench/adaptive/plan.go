package adaptive

import (
	"fmt"
	"time"
)

const (
	nodes = 4

	// A node has this share of a core. A request takes so much CPU time that four nodes serve 6000 requests per second, as
	// the cluster in the paper on RAP does (Nguyen et al., Sensors 22(8) 2869).
	nodeCores     = 0.2
	nodeRate      = 1500
	quotaPeriod   = 5 * time.Millisecond
	mostWaiting   = 4000 // requests of one node's clients; more are failures
	answerTimeout = 5 * time.Second
)

// requestCPU is the CPU time of a request, on average.
const requestCPU = 133_333 * time.Nanosecond

// quota is the CPU time of a node in each period.
const quota = time.Millisecond

// Options are how to measure.
type Options struct {
	Rounds      int
	Warmup, For time.Duration // of each turn; scenarios with an event last longer
	Subjects    []string      // all when empty
	Scenarios   []string      // all when empty
}

// Check returns what to change.
func (o Options) Check() error {
	if o.Rounds < 1 || o.Warmup <= 0 || o.For <= 0 {
		return fmt.Errorf("--rounds is %d, --warmup is %v and --for is %v; give 1 or more, and times above 0", o.Rounds, o.Warmup, o.For)
	}
	return nil
}
