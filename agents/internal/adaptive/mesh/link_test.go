package mesh

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

// end is one of two linked nodes in a test without sockets, with its own clock.
type end struct {
	link
	incarnation uint64
	ahead       time.Duration // of the test's time
}

func (e *end) clock(at time.Duration) time.Duration { return at + e.ahead }

func (e *end) send(at time.Duration) header { return e.header(1, e.incarnation, e.clock(at)) }

func (e *end) receive(h header, at time.Duration) Reason {
	reason, _ := e.take(&h, e.incarnation, e.clock(at))
	return reason
}

// newPair returns two nodes that have exchanged hellos until the time start. Their clocks differ by a year.
func newPair(t *testing.T) (a, b *end) {
	t.Helper()
	a, b = &end{incarnation: 10, ahead: time.Hour}, &end{incarnation: 20, ahead: 365 * 24 * time.Hour}
	if got := b.receive(a.send(start-3*hop), start-2*hop); got != Hello {
		t.Fatalf("the first: %s", got)
	}
	if got := a.receive(b.send(start-2*hop), start-hop); got != Accepted {
		t.Fatalf("the reply: %s", got)
	}
	if got := b.receive(a.send(start-hop), start); got != Accepted {
		t.Fatalf("the first figures: %s", got)
	}
	return a, b
}

const (
	start = time.Hour
	hop   = 10 * time.Millisecond
)

func expect(t *testing.T, what string, got, want Reason) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func TestWhatHappensWithEachDatagram(t *testing.T) {
	t.Run("they are accepted whatever the clocks show", func(t *testing.T) {
		a, b := newPair(t)
		for at := start; at < start+time.Minute; at += every {
			expect(t, "to b", b.receive(a.send(at), at+hop), Accepted)
			expect(t, "to a", a.receive(b.send(at), at+hop), Accepted)
		}
	})
	t.Run("they are accepted if one arrived while they were composed", func(t *testing.T) {
		a, b := newPair(t)
		expect(t, "to a", a.receive(b.send(start), start+hop), Accepted)
		h := a.send(start + hop - 1)
		written := append(h.append(nil), make([]byte, macBytes)...)
		if _, valid := parseHeader(written); !valid {
			t.Errorf("%+v is malformed", h)
		}
		expect(t, "to b", b.receive(h, start+2*hop), Accepted)
	})
	t.Run("a second copy is replayed, an earlier one reordered", func(t *testing.T) {
		a, b := newPair(t)
		first, second := a.send(start), a.send(start)
		expect(t, "the second", b.receive(second, start+hop), Accepted)
		expect(t, "the first", b.receive(first, start+hop), Reordered)
		expect(t, "a copy of the first", b.receive(first, start+hop), Replayed)
		expect(t, "a copy of the second", b.receive(second, start+hop), Replayed)
	})
	t.Run("one behind 64 others is late", func(t *testing.T) {
		a, b := newPair(t)
		early := a.send(start)
		for range windowMost {
			expect(t, "the others", b.receive(a.send(start), start+hop), Accepted)
		}
		expect(t, "the early one", b.receive(early, start+hop), Late)
	})
	t.Run("one that was held up for more than 3 s is late", func(t *testing.T) {
		a, b := newPair(t)
		held := a.send(start)
		expect(t, "after 4 s", b.receive(held, start+4*time.Second), Late)
		onTime := a.send(start)
		expect(t, "after 2.9 s", b.receive(onTime, start+2900*time.Millisecond), Accepted)
	})
	t.Run("one that returns an old time is late, although it arrives at once", func(t *testing.T) {
		a, b := newPair(t)
		h := a.send(start + 10*time.Second)
		h.held = 0 // the clock of a stood still
		expect(t, "it", b.receive(h, start+10*time.Second+hop), Late)
	})
	t.Run("one from the future comes from a clock that is too fast", func(t *testing.T) {
		a, b := newPair(t)
		h := a.send(start)
		h.held += time.Second
		expect(t, "it", b.receive(h, start+hop), TooFast)
		expect(t, "the next", b.receive(a.send(start), start+hop), Accepted)
	})
}

func TestARestartedPeerIsAcceptedAndItsFormerProcessIsNot(t *testing.T) {
	a, b := newPair(t)
	expect(t, "before", b.receive(a.send(start), start+hop), Accepted)
	kept := a.send(start)
	recorded := []header{kept, a.send(start)}

	a = &end{incarnation: 11, ahead: time.Minute}
	at := start + heldFor + time.Second // b has dropped the old process
	expect(t, "the hello", b.receive(a.send(at), at), Hello)
	expect(t, "the reply", a.receive(b.send(at+hop), at+2*hop), Accepted)
	expect(t, "the first figures", b.receive(a.send(at+2*hop), at+3*hop), Accepted)
	for _, old := range recorded {
		expect(t, "the former process", b.receive(old, at+3*hop), Replayed)
	}
	expect(t, "the next figures", b.receive(a.send(at+3*hop), at+4*hop), Accepted)
}

// Datagrams of a node that has restarted since are only hellos, whatever host sends them again.
func TestRecordedDatagramsDoNotDisplaceAPeer(t *testing.T) {
	a, b := newPair(t)
	old := &end{incarnation: 9}
	recorded := old.send(start)
	for at := start; at < start+time.Minute; at += every {
		expect(t, "a recorded one", b.receive(recorded, at), Hello)
		expect(t, "to a", a.receive(b.send(at), at+hop), Accepted)
		expect(t, "to b", b.receive(a.send(at+hop), at+2*hop), Accepted)
	}

	restarted := &end{incarnation: 21}
	at := start + 2*time.Minute
	for _, one := range []header{a.send(at), a.send(at)} {
		expect(t, "figures for the process before the restart", restarted.receive(one, at), Hello)
	}
}

func TestTheAgeOfFiguresIsNeverLessThanTheTruth(t *testing.T) {
	a, b := newPair(t)
	h := a.send(start)
	arrived := start + 500*time.Millisecond
	reason, sent := b.take(&h, b.incarnation, b.clock(arrived))
	expect(t, "it", reason, Accepted)
	age := b.clock(arrived) - sent
	if least, most := 500*time.Millisecond, 500*time.Millisecond+4*hop; age < least || age > most {
		t.Errorf("%s old, want %s … %s", age, least, most)
	}
}

func TestOnlyTheNewestFiguresOfAServiceAreKept(t *testing.T) {
	one := link{received: make([]received, 2)}
	services := map[uint64]int{1: 0, 2: 1}
	one.store([]numbered{{1, full(10)}, {2, full(10)}}, 5, start, services)
	one.store([]numbered{{1, full(9)}, {3, full(9)}}, 4, start, services)
	one.store([]numbered{{2, full(11)}}, 6, start+time.Second, services)
	got := one.latest(nil, []Service{{ID: "lb_1"}, {ID: "lb_2"}}, start+policy.OldestFigures)
	if len(got) != 2 || got[0].Rate != 10 || got[1].Rate != 11 || got[0].Age != policy.OldestFigures || got[1].Age != policy.OldestFigures-time.Second {
		t.Fatalf("got %+v", got)
	}
	got = one.latest(nil, []Service{{ID: "lb_1"}, {ID: "lb_2"}}, start+policy.OldestFigures+1)
	if len(got) != 1 || got[0].Service != "lb_2" {
		t.Errorf("after 3 s: %+v", got)
	}
}
