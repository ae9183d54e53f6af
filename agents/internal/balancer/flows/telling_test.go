package flows

import (
	"net"
	"testing"
)

// A peer is sent connections from the moment it heard that it was told all. So it hears
// that only when nothing is missing any more, and when it keeps up with what comes.
func TestAPeerHearsThatItWasToldAllWhenItKnowsAllAndKeepsUp(t *testing.T) {
	for _, test := range []struct {
		name      string
		befalls   func(*telling)
		hears     bool // that it was told all
		toldAnew  bool
		askedAnew bool
	}{
		{name: "it has settled all, soon", hears: true},
		{name: "news were left out meanwhile", befalls: func(t *telling) { t.behind.Store(true) }, toldAnew: true},
		{name: "they are being made up for", befalls: func(t *telling) { t.busy = true }, toldAnew: true},
		{name: "it took long", befalls: func(t *telling) { t.marked = t.marked.Add(-2 * promptly) }, askedAnew: true},
		{name: "it has not settled all", befalls: func(t *telling) { t.settled = t.mark - 1 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			telling, kinds := tellingToPeer(t)
			telling.end()
			mark := telling.mark
			telling.settled = mark
			if test.befalls != nil {
				test.befalls(telling)
			}
			if err := telling.taken(); err != nil {
				t.Fatal(err)
			}
			_ = telling.conn.Close()
			hears := false
			for k := range kinds {
				hears = hears || k == kindWhole
			}
			if hears != test.hears {
				t.Errorf("hears that it was told all: %t", hears)
			}
			if toldAnew := telling.busy && !telling.ended; toldAnew != test.toldAnew {
				t.Errorf("is told anew: %t", toldAnew)
			}
			if askedAnew := telling.mark > mark; askedAnew != test.askedAnew {
				t.Errorf("is asked anew: %t", askedAnew)
			}
		})
	}
}

// tellingToPeer tells one that answers, and returns what kinds of frames it gets.
func tellingToPeer(t *testing.T) (*telling, <-chan kind) {
	t.Helper()
	r := newReplica(t, "127.0.0.1:0", nil)
	ours, theirs := net.Pipe()
	kinds := make(chan kind, 16)
	go func() {
		defer close(kinds)
		buffer := make([]byte, frameMostBytes)
		for {
			k, _, err := readFrame(theirs, buffer)
			if err != nil {
				return
			}
			kinds <- k
		}
	}()
	peer := newTeller(ours)
	peer.says = true
	return newTelling(r.Exchange, peer), kinds
}
