package bpf

import (
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// clientFlow returns a flow of the tests' client to a backend.
func clientFlow(port uint16, backend string, age time.Duration) datapath.Flow {
	return datapath.Flow{Service: tcpService().Key, Client: netip.AddrPortFrom(client4, port), Backend: backend, Age: age}
}

// know adds a connection to a table, with its last packet this long ago.
func know(t *testing.T, e *Engine, name string, flow datapath.Flow, flags program.TcxFlowFlags) {
	t.Helper()
	b := e.published.Names().ByKey[flow.Service][flow.Backend]
	must(t, e.maps[name].Put(program.ToFlowKey(flow.Service, flow.Client), program.FlowEntry{
		Incarnation: b.Incarnation, Slot: b.Slot, Seen: program.SeenNow() - uint32(program.Ticks(flow.Age)), Flags: uint8(flags),
	}))
}

// learn learns flows of known services and backends.
func learn(t *testing.T, e *Engine, flows ...datapath.Flow) {
	t.Helper()
	unknown, err := e.Learn(flows)
	must(t, err)
	if len(unknown) > 0 {
		t.Fatalf("%v are unknown", unknown)
	}
}

// nextAnnounced returns the next announced flow, whatever its age.
func nextAnnounced(t *testing.T, e *Engine) datapath.Flow {
	t.Helper()
	select {
	case got := <-e.Misplaced():
		got.Age = 0
		return got
	case <-time.After(10 * time.Second):
		t.Fatal("nothing is announced")
		return datapath.Flow{}
	}
}

// A connection moves to another replica, ends there, and its client reuses the same port:
// the entry here is outdated.
func TestOfTwoEntriesOfAConnectionTheYoungerCounts(t *testing.T) {
	for name, c := range map[string]struct {
		ours      time.Duration
		flags     program.TcxFlowFlags
		theirs    time.Duration
		want      string
		announces bool // announces its own entry to the peers
	}{
		"a peer's":                      {ours: time.Minute, theirs: 0, want: "b"},
		"a peer's, silent for a while":  {ours: 10 * time.Minute, theirs: 5 * time.Minute, want: "b"},
		"ours":                          {ours: 0, theirs: time.Minute, want: "a", announces: true},
		"ours, after a second":          {ours: 0, theirs: time.Second, want: "a", announces: true},
		"ours is over for a second":     {ours: time.Second, flags: program.TcxFlowFlagsCLOSING, theirs: 2 * time.Second, want: "a"},
		"of the same moment":            {ours: 0, theirs: 0, want: "a"},
		"ours is over at the same time": {ours: 0, flags: program.TcxFlowFlagsCLOSING, theirs: 0, want: "b"},
		"ours is over, but of after":    {ours: 0, flags: program.TcxFlowFlagsCLOSING, theirs: time.Minute, want: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			e := openAt(t, newPlace(t), TCX, datapath.Options{})
			set(t, e, tcpService())
			know(t, e, program.TcxMapConnections, clientFlow(1000, "a", c.ours), c.flags)
			learn(t, e, clientFlow(1000, "b", c.theirs))
			if got := send(t, e, from4(6, 1000, ack, "")); got != c.want {
				t.Errorf("the next packet went to %q, want %q", got, c.want)
			}
			if c.announces {
				if got := nextAnnounced(t, e); got != clientFlow(1000, "a", 0) {
					t.Errorf("the peers get %v", got)
				}
			}
		})
	}
}

func TestAnOlderEntryReplacesNoYoungerOne(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	for _, word := range []datapath.Flow{
		clientFlow(1000, "a", 5*time.Minute), clientFlow(1000, "b", time.Minute), clientFlow(1000, "a", 2*time.Minute),
		clientFlow(2000, "b", 0), clientFlow(2000, "a", 0), // of equal ages, the last
		clientFlow(3000, "b", time.Second), clientFlow(3000, "a", 2*time.Second), // as soon as a client may reuse a port
	} {
		learn(t, e, word)
	}
	for port, want := range map[uint16]string{1000: "b", 2000: "a", 3000: "b"} {
		if got := send(t, e, from4(6, port, ack, "")); got != want {
			t.Errorf("port %d went to %q, want %q", port, got, want)
		}
	}
}

// Processing many flows of a peer takes a while, and another peer sends flows meanwhile.
func TestAnOlderEntryReplacesNoneThatIsLearntMeanwhile(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	for port := uint16(1000); port < 1020; port++ {
		much := []datapath.Flow{clientFlow(port, "a", time.Minute)}
		for other := range uint16(2000) {
			much = append(much, clientFlow(10_000+other, "a", time.Minute))
		}
		var learning sync.WaitGroup
		learning.Go(func() {
			if _, err := e.Learn(much); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(time.Millisecond)
		learn(t, e, clientFlow(port, "b", 0))
		learning.Wait()
		if got := send(t, e, from4(6, port, ack, "")); got != "b" {
			t.Fatalf("port %d went to %q, where it was a minute ago", port, got)
		}
	}
}

func TestLearntFlowsAreListedWithTheirAge(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	learn(t, e, clientFlow(1000, "a", 0), clientFlow(2000, "b", 14*time.Minute), clientFlow(3000, "b", time.Hour))
	learnt, err := e.LearntNow(t.Context())
	must(t, err)
	slices.SortFunc(learnt, func(a, b datapath.Flow) int { return a.Client.Compare(b.Client) })
	if len(learnt) != 2 || learnt[0].Age > time.Minute || learnt[1].Age < 14*time.Minute-2*time.Second || learnt[1].Age > 15*time.Minute {
		t.Errorf("learnt %v", learnt)
	}
}

func TestAFullTableOfLearntFlowsIsReported(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{Connections: 2 * int(program.TcxLimitsLEARNT)})
	set(t, e, tcpService())
	if room := e.maps[program.TcxMapLearnt].MaxEntries(); room != 2*uint32(program.TcxLimitsLEARNT) {
		t.Errorf("room for %d, but peers may announce as many as there are connections", room)
	}
	know(t, e, program.TcxMapLearnt, clientFlow(1000, "a", 0), 0)
	know(t, e, program.TcxMapLearnt, clientFlow(2000, "a", time.Hour), 0)
	if found := e.walker.Newest(time.Now()); found.Err != nil || found.Learnt != 1 {
		t.Errorf("%d stay (%v), of which one is over", found.Learnt, found.Err)
	}
	for learnt, want := range map[int]int{1000: 0, int(e.maps[program.TcxMapLearnt].MaxEntries()): 1} {
		if reported := e.warnings(0, learnt); len(reported) != want {
			t.Errorf("with %d learnt: %q", learnt, reported)
		}
	}
}

// Peers keep announced flows for a while, and so must the replica that announced them.
func TestANewConnectionIsAnnouncedLongAfterTheFormerOne(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	announced, quiet := portTo(t, e, "a", 1000), uint16(0)
	send(t, e, from4(6, announced, ack, "")) // the set-up is over
	know(t, e, program.TcxMapConnections, clientFlow(announced, "b", 2*time.Minute), program.TcxFlowFlagsCLOSING)
	quiet = portTo(t, e, "a", announced+1)
	know(t, e, program.TcxMapConnections, clientFlow(quiet, "a", 2*time.Minute), program.TcxFlowFlagsCLOSING)
	_, err := e.Observe(t.Context())
	must(t, err)
	if connections, learnt := entries(t, e, program.TcxMapConnections), entries(t, e, program.TcxMapLearnt); connections != 0 || learnt != 1 {
		t.Fatalf("%d connections and %d words are kept, want only that of the one that was misplaced", connections, learnt)
	}
	for _, flags := range []byte{syn, ack} {
		if got := send(t, e, from4(6, announced, flags, "")); got != "a" {
			t.Fatalf("it went to %q", got)
		}
	}
	if got := nextAnnounced(t, e); got != clientFlow(announced, "a", 0) {
		t.Errorf("the peers get %v", got)
	}
}

// A connection on the same ports may have started at a replica that never learnt the
// previous one, and announced nothing.
func TestAnAnnouncedConnectionThatIsOverPlacesNothing(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	port := portTo(t, e, "a", 1000)
	forgetSetups(t, e)
	know(t, e, program.TcxMapConnections, clientFlow(port, "b", 2*time.Minute), program.TcxFlowFlagsCLOSING)
	_, err := e.Observe(t.Context())
	must(t, err)
	if learnt := entries(t, e, program.TcxMapLearnt); learnt != 1 {
		t.Fatalf("%d words are kept", learnt)
	}
	if passed, err := e.LearntNow(t.Context()); err != nil || len(passed) != 0 {
		t.Errorf("passed on: %v, %v", passed, err)
	}
	if got := send(t, e, from4(6, port, ack, "")); got != "a" {
		t.Errorf("it went to %q", got)
	}
}

// It is no longer among the few timed set-ups when its second packet arrives.
func TestASlowSetUpStaysIfPeersHaveAnOlderConnection(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	port := portTo(t, e, "a", 1000)
	forgetSetups(t, e)
	know(t, e, program.TcxMapLearnt, clientFlow(port, "b", 10*time.Second), 0)
	send(t, e, from4(6, port, syn, ""))
	forgetSetups(t, e)
	if got := send(t, e, from4(6, port, ack, "")); got != "a" {
		t.Errorf("it began at a and went on at %q", got)
	}
}

// Both tables agree on it, but not with what was announced for the previous one.
func TestANewConnectionOnTheSamePortsIsAnnouncedIfPeersMayHaveTheOldOne(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	port := uint16(1000)
	begin := func(before func(port uint16)) uint16 {
		port = portTo(t, e, "a", port+1)
		send(t, e, from4(6, port, ack, "")) // the set-up is over
		must(t, e.maps[program.TcxMapConnections].Delete(program.ToFlowKey(tcpService().Key, netip.AddrPortFrom(client4, port))))
		before(port)
		for _, flags := range []byte{syn, ack} {
			if got := send(t, e, from4(6, port, flags, "")); got != "a" {
				t.Fatalf("port %d went to %q", port, got)
			}
		}
		return port
	}
	begin(func(uint16) {})
	begin(func(port uint16) {
		know(t, e, program.TcxMapConnections, clientFlow(port, "a", 0), program.TcxFlowFlagsCLOSING)
	})
	begin(func(port uint16) { know(t, e, program.TcxMapLearnt, clientFlow(port, "a", 0), 0) })
	for name, table := range map[string]string{"ours": program.TcxMapConnections, "a peer's": program.TcxMapLearnt} {
		port := begin(func(port uint16) { know(t, e, table, clientFlow(port, "b", 0), program.TcxFlowFlagsCLOSING) })
		if got := nextAnnounced(t, e); got != clientFlow(port, "a", 0) {
			t.Errorf("the one before was %s: the peers get %v", name, got)
		}
	}
}
