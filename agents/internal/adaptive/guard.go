package adaptive

import (
	"fmt"
	"time"

	"fairlead.dev/agents/internal/adaptive/pressure"
	"fairlead.dev/agents/internal/events"
)

// Event reasons.
const (
	NodePressureUnknown = "NodePressureUnknown"
	NodePressed         = "NodePressed"
	NodeNotPressed      = "NodeNotPressed"
)

const (
	// guardEvery is how often the kernel updates pressure.
	guardEvery = 2 * time.Second

	// leastFactor limits the guard: what slows requests down is in their service time too, and twice of it costs little.
	leastFactor = 0.5

	// pressedFactor is below which pressure is an event.
	pressedFactor = 0.75
)

// guard reduces the cores that a node offers while processes wait for CPU or memory that its requests don't use. A node
// without requests has no service time that shows it. The zero value has measured nothing.
type guard struct {
	before  pressure.Stalls
	at      time.Time // of before; zero: none
	reduced float64   // share of the cores that isn't offered
	pressed overload
	unknown bool // it is reported that there is no pressure to read
}

// factor is the share of the cores that is offered.
func (g *guard) factor() float64 { return 1 - g.reduced }

// add records the stalls now. Own is the utilization of the node by its requests: some wait in a queue of theirs, which
// their cost has already.
func (g *guard) add(stalls pressure.Stalls, own float64, now time.Time) (all []events.Event) {
	before, period := g.before, now.Sub(g.at)
	isFirst := g.at.IsZero()
	g.before, g.at = stalls, now
	if isFirst || period <= 0 {
		return nil
	}
	share := func(before, after time.Duration) float64 {
		return min(max(float64(after-before)/float64(period), 0), 1)
	}
	cpu, memory := share(before.CPU, stalls.CPU), share(before.Memory, stalls.Memory)
	excess := min(max(cpu-own, memory, 0), 1-leastFactor)
	g.reduced = (g.reduced + excess) / 2 // two periods, so that a short peak counts half
	if !g.pressed.see(g.factor() < pressedFactor, now) {
		return nil
	}
	if !g.pressed.is {
		return []events.Event{{Reason: NodeNotPressed, Message: "Processes of this node don't wait for CPU or memory any more, so it offers all of its cores."}}
	}
	return []events.Event{{Reason: NodePressed, Warning: true, Message: fmt.Sprintf(
		"Processes of this node waited %.0f %% of the time for the CPU and %.0f %% for memory, more than its requests explain. It offers %.0f %% of its cores, so other nodes get more requests. Look for other programs there, or for a limit that is too low.",
		100*cpu, 100*memory, 100*g.factor())}}
}

// missing is for a host that doesn't measure pressure. It reports that once.
func (g *guard) missing(err error) (all []events.Event) {
	g.at, g.reduced = time.Time{}, 0
	if g.unknown {
		return nil
	}
	g.unknown = true
	return []events.Event{{Reason: NodePressureUnknown, Warning: true, Message: fmt.Sprintf(
		"How long processes wait for CPU and memory is unknown: %v. So load of other programs only shows once requests take longer. Start the kernel with psi=1, and let the agent read /proc/pressure.", err)}}
}
