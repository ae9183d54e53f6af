package flows

import (
	"net"
	"testing"
)

// Routers send connections to a peer as soon as it has the end of the full set. So the
// end is marked only when nothing is missing and the peer keeps up.
func TestTheEndOfASetIsMarkedWhenThePeerHasAllAndKeepsUp(t *testing.T) {
	for _, test := range []struct {
		name           string
		prepare        func(*feed)
		marked         bool // it receives the end of the set
		resent         bool
		requestedAgain bool
	}{
		{name: "it has acknowledged all, soon", marked: true},
		{name: "updates were dropped meanwhile", prepare: func(t *feed) { t.behind.Store(true) }, resent: true},
		{name: "a full set is in progress", prepare: func(t *feed) { t.busy = true }, resent: true},
		{name: "it took long", prepare: func(t *feed) { t.marked = t.marked.Add(-2 * promptly) }, requestedAgain: true},
		{name: "it has not acknowledged all", prepare: func(t *feed) { t.settled = t.mark - 1 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			feed, kinds := feedToPeer(t)
			feed.end()
			mark := feed.mark
			feed.settled = mark
			if test.prepare != nil {
				test.prepare(feed)
			}
			if err := feed.taken(); err != nil {
				t.Fatal(err)
			}
			_ = feed.conn.Close()
			marked := false
			for k := range kinds {
				marked = marked || k == kindWhole
			}
			if marked != test.marked {
				t.Errorf("the end of the set is marked: %t", marked)
			}
			if resent := feed.busy && !feed.ended; resent != test.resent {
				t.Errorf("is sent the full set again: %t", resent)
			}
			if requestedAgain := feed.mark > mark; requestedAgain != test.requestedAgain {
				t.Errorf("requests an acknowledgement again: %t", requestedAgain)
			}
		})
	}
}

// feedToPeer returns the feed of a peer that acknowledges, and the kinds of frames it
// receives.
func feedToPeer(t *testing.T) (*feed, <-chan kind) {
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
	peer := newSubscriber(ours)
	peer.supportsAcks = true
	return newFeed(r.Exchange, peer), kinds
}
