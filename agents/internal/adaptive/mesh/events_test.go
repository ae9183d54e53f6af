package mesh

import (
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

// watched is a node without sockets whose events a test reads.
type watched struct {
	*Mesh
	at time.Duration
}

func newWatched(t *testing.T, peers ...string) *watched {
	t.Helper()
	w := &watched{Mesh: newTestMesh(t, loopback), at: time.Hour}
	w.now = func() time.Duration { return w.at }
	spec := Spec{Self: "self", Keys: keys}
	for _, node := range peers {
		spec.Peers = append(spec.Peers, Peer{Node: node})
	}
	w.replace(spec)
	return w
}

// hears lets a peer send a datagram that returns a time of this node.
func (w *watched) hears(node string, heard moment, held time.Duration) {
	one := w.links[node]
	one.sent++ // used as the number of the peer's datagram
	h := header{sender: numberOf(node), incarnation: 7, number: one.sent, sent: w.at, heard: heard, held: held}
	content := h.append(nil)
	w.take(append(content, newSigner(keys.Current, node, "self").sign(content)...), &net.UDPAddr{IP: net.IPv4(192, 0, 2, 9), Port: 1}, 0)
}

func (w *watched) own() moment { return moment{w.incarnation, w.at} }

func (w *watched) expect(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, event := range w.changes(true) {
		got = append(got, event.Reason+": "+event.Message)
	}
	isAsWanted := func(got, want string) bool { return strings.HasPrefix(got, want) }
	if !slices.EqualFunc(got, want, isAsWanted) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnOperatorSeesWhyFiguresAreMissing(t *testing.T) {
	w := newWatched(t, "nod_a")
	w.expect(t)
	w.hears("nod_a", w.own(), 0)
	w.expect(t) // as it should be

	w.at += 9 * time.Second
	w.expect(t)
	w.at += time.Second
	w.expect(t, "NodeFiguresMissing: No figures arrive from node nod_a.")
	w.expect(t)

	w.hears("nod_a", moment{1, 1}, 0)
	w.expect(t, "NodeFiguresMissing: Datagrams of this node don't reach node nod_a.")
	w.hears("nod_a", moment{w.incarnation, w.at - time.Minute}, 0)
	w.expect(t, "NodeFiguresMissing: Datagrams from node nod_a arrive more than 3 s late.")
	w.hears("nod_a", w.own(), time.Minute)
	w.expect(t, "NodeClockWrong: Datagrams from node nod_a have times in the future.")

	w.hears("nod_a", w.own(), 0)
	w.expect(t, "NodeFiguresBack: Figures are exchanged with node nod_a again.")
}

func TestManyNodesHaveOneEvent(t *testing.T) {
	w := newWatched(t, "e", "d", "c", "b", "a")
	w.at += missingAfter
	w.expect(t, "NodeFiguresMissing: No figures arrive from nodes a, b, c and 2 more.")
}

// While this node can't listen, its peers aren't to blame.
func TestPeersAreNotJudgedWithoutASocket(t *testing.T) {
	w := newWatched(t, "a")
	w.at += time.Hour
	if got := w.changes(false); got != nil {
		t.Errorf("got %+v", got)
	}
	w.begin()
	w.expect(t)
}

func TestForgeriesAreReportedOnceInAWhile(t *testing.T) {
	w := newWatched(t, "nod_a")
	forge := func() {
		h := header{sender: numberOf("nod_a"), incarnation: 7, number: 1}
		w.take(append(h.append(nil), make([]byte, macBytes)...), &net.UDPAddr{IP: net.IPv4(192, 0, 2, 9), Port: 1}, 0)
	}
	forge()
	forge()
	w.expect(t, "NodeFiguresForged: Datagrams in the name of node nod_a were not signed by it: 2, the last from 192.0.2.9:1.")
	forge()
	w.hears("nod_a", w.own(), 0)
	w.expect(t)
	w.at += forgedEvery
	w.hears("nod_a", w.own(), 0)
	w.expect(t, "NodeFiguresForged: Datagrams in the name of node nod_a were not signed by it: 1, the last")
}
