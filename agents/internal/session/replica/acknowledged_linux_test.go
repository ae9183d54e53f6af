package replica

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/steering"
)

func portKey(port uint16) program.FlowKey { return program.FlowKey{ClientPort: port} }

func newAcknowledged() *acknowledged { return &acknowledged{byFlow: map[program.FlowKey]*keptHello{}} }

func sentHello(port uint16, bytes int) *partial {
	return &partial{key: portKey(port), bytes: bytes, parts: []part{{packet: &steering.Packet{}}, {packet: &steering.Packet{}}}}
}

// resent returns how many parts are sent again.
func (a *acknowledged) resent(port uint16, placed uint64, now time.Time) (count int) {
	a.resend(portKey(port), placed, now, func(*steering.Packet) error { count++; return nil })
	return count
}

// A backend reports each packet that it lacks the connection of.
func TestAHelloIsSentAgainOnceForABurstOfReports(t *testing.T) {
	a := newAcknowledged()
	a.keep(sentHello(1, 10), 7, now)
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{time.Millisecond, 2}, {2 * time.Millisecond, 0}, {50 * time.Millisecond, 0}, {time.Second, 2}} {
		if got := a.resent(1, 7, now.Add(c.after)); got != c.want {
			t.Errorf("after %s: %d parts", c.after, got)
		}
	}
	if got := a.resent(2, 7, now); got != 0 {
		t.Errorf("of another connection: %d parts", got)
	}
}

// The next connection on the ports of an earlier one must not get its hello.
func TestAHelloIsNotSentAgainOnceItsPortsAreUsedAgain(t *testing.T) {
	for _, placed := range []uint64{0, 8} {
		a := newAcknowledged()
		a.keep(sentHello(1, 10), 7, now)
		if got := a.resent(1, placed, now); got != 0 || len(a.byFlow) != 0 || a.bytes != 0 {
			t.Errorf("placed until %d: %d parts", placed, got)
		}
	}
}

func TestHellosThatWereSentAreKeptForALimitedTimeAndInLimitedMemory(t *testing.T) {
	a := newAcknowledged()
	for port := range uint16(2 * keptMost) {
		a.keep(sentHello(port, 10), 7, now)
	}
	if len(a.byFlow) != keptMost || a.bytes != 10*keptMost {
		t.Errorf("%d hellos of %d bytes", len(a.byFlow), a.bytes)
	}
	a.resent(3, 7, now.Add(keptSpan))
	a.expire(now.Add(keptSpan + time.Second))
	if len(a.byFlow) != 1 || a.bytes != 10 {
		t.Errorf("later %d hellos of %d bytes", len(a.byFlow), a.bytes)
	}
	a = newAcknowledged()
	for port := range uint16(5) {
		a.keep(sentHello(port, keptBytes/3), 7, now)
		a.keep(sentHello(port, keptBytes/3), 7, now) // in place of the first
	}
	if len(a.byFlow) != 3 || a.bytes > keptBytes {
		t.Errorf("%d large hellos of %d bytes", len(a.byFlow), a.bytes)
	}
}
