package signals

import (
	"io"
	"net"
	"testing"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestCountsContinueWhileNoAgentRuns(t *testing.T) {
	p := newPlace(t).open()
	p.serve(server4, net.ListenConfig{}, answerEach)
	conn := p.dial(client4, server4)
	request(t, conn)
	must(t, p.signals.Close())
	request(t, conn)
	request(t, p.dial(client4, server4))

	again, err := Open(p.options)
	must(t, err)
	p.signals = again // which the test removes
	must(t, again.Set(p.config(datapath.TCP)))
	p.wait(ourNode, Counts{Open: 2, Opened: 2, Arrived: 3, Done: 3})
	must(t, conn.Close())
	p.wait(ourNode, Counts{Open: 1, Opened: 2, Arrived: 3, Done: 3})
}

func TestConnectionsThatAreOlderThanThePrograms(t *testing.T) {
	p := newPlace(t)
	p.serve(server4, net.ListenConfig{}, answerEach)
	closed, reset, idle := p.dial(client4, server4), p.dial(client4, server4), p.dial(client4, server4)
	for _, conn := range []net.Conn{closed, reset, idle} {
		request(t, conn)
	}
	p.open()
	if got := p.counts(); len(got.Nodes) != 0 {
		t.Fatalf("got %+v before their next packet", got)
	}
	for range 2 {
		request(t, closed)
		request(t, reset)
	}
	p.wait(ourNode, Counts{Open: 2, Opened: 2, Arrived: 4, Done: 4})
	must(t, closed.Close())
	p.wait(ourNode, Counts{Open: 1, Opened: 2, Arrived: 4, Done: 4})
	must(t, reset.SetLinger(0))
	must(t, reset.Close())
	p.wait(ourNode, Counts{Opened: 2, Arrived: 4, Done: 4})
}

func TestDriftIsReconciled(t *testing.T) { eachWayToList(t, driftIsReconciled) }

func driftIsReconciled(t *testing.T, p *place) {
	answers := make(chan struct{})
	t.Cleanup(func() { close(answers) })
	p.serve(server4, net.ListenConfig{}, func(conn *net.TCPConn) {
		_, _ = io.ReadFull(conn, make([]byte, 1))
		<-answers
	})
	_, err := p.dial(client4, server4).Write([]byte("q"))
	must(t, err)
	p.dial(client4, server4)
	want := Counts{Open: 2, Opened: 2, InFlight: 1, Arrived: 1}
	p.wait(ourNode, want)

	damage(t, p, Drift{Open: 5, InFlight: 3})
	if got := p.counts().Total(); got.Open != 7 || got.InFlight != 4 || p.shared() != 1 {
		t.Fatalf("got %+v after the damage", got)
	}
	for _, want := range []Drift{{Open: 5, InFlight: 3}, {}, {}} {
		if drift, err := p.signals.Reconcile(); err != nil || drift != want {
			t.Errorf("counts drifted by %+v (%v), want %+v", drift, err, want)
		}
	}
	p.wait(ourNode, want)
	damage(t, p, Drift{Open: -1, InFlight: -1})
	if drift, err := p.signals.Reconcile(); err != nil || drift != (Drift{Open: -1, InFlight: -1}) {
		t.Errorf("counts drifted by %+v (%v)", drift, err)
	}
	p.wait(ourNode, want)
}

// damage adds to the counts, as if as many connections had ended unseen.
func damage(t testing.TB, p *place, by Drift) {
	t.Helper()
	var epoch uint32
	must(t, p.signals.maps[program.SignalsMapSignalEpoch].Lookup(uint32(0), &epoch))
	origins, services := p.signals.maps[program.SignalsMapSignalOrigins], p.signals.maps[program.SignalsMapSignalServices]
	key := originKey{Service: number, Incarnation: incarnationOf(p.signals.services[0]), Node: ourNode}
	var origin originEntry
	must(t, origins.Lookup(key, &origin))
	origin.Open[epoch&1] += by.Open
	origin.InFlight[epoch&1] += by.InFlight
	must(t, origins.Put(key, origin))
	var service serviceEntry
	must(t, services.LookupWithFlags(uint32(number), &service, ebpf.LookupLock))
	service.InFlight += int32(by.InFlight)
	must(t, services.Update(uint32(number), service, ebpf.UpdateLock))
}

func TestANumberThatIsUsedAgainBeginsAtZero(t *testing.T) {
	p := newPlace(t).open()
	p.serve(server4, net.ListenConfig{}, answerEach)
	former := p.dial(client4, server4)
	request(t, former)
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 1, Done: 1})

	config := p.config(datapath.TCP)
	config.Services[0].Key.Port++
	must(t, p.signals.Set(config))
	request(t, p.dial(client4, server4))
	must(t, former.Close())
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 1, Done: 1})
	if got := p.counts(); got.Busy > uint64(patience) {
		t.Errorf("busy for %d ns", got.Busy)
	}
	must(t, p.signals.Set(Config{}))
	if all, err := p.signals.Observe(); err != nil || len(all.Services) != 0 {
		t.Errorf("got %+v (%v) without services", all, err)
	}
}

func TestWhatWasDetachedIsAttachedAgain(t *testing.T) {
	p := newPlace(t).open()
	if changes, err := p.signals.Attach(); err != nil || changes != 0 {
		t.Fatalf("%d changes (%v)", changes, err)
	}
	must(t, p.signals.attachments[1].Remove())
	if changes, err := p.signals.Attach(); err != nil || changes != 1 {
		t.Fatalf("%d changes (%v), want 1", changes, err)
	}
	p.serve(server4, net.ListenConfig{}, answerEach)
	request(t, p.dial(client4, server4))
	p.wait(ourNode, Counts{Open: 1, Opened: 1, Arrived: 1, Done: 1})
}

// Its connections aren't counted until they are reconciled, whether their requests end before or after.
func TestAServiceThatIsAddedAgain(t *testing.T) { eachWayToList(t, aServiceIsAddedAgain) }

func aServiceIsAddedAgain(t *testing.T, p *place) {
	p.serve(server4, net.ListenConfig{}, answerEach)
	ended, waits := p.dial(client4, server4), p.dial(client4, server4)
	request(t, ended)
	request(t, waits)
	must(t, p.signals.Set(Config{}))
	must(t, p.signals.Set(p.config(datapath.TCP)))
	must(t, ended.Close())
	p.wait(ourNode, Counts{})
	if drift, err := p.signals.Reconcile(); err != nil || drift != (Drift{Open: -2}) {
		t.Errorf("counts drifted by %+v (%v)", drift, err)
	}
	p.wait(ourNode, Counts{Open: 1})
	request(t, waits)
	p.wait(ourNode, Counts{Open: 1, Arrived: 1, Done: 1})
}

// eachWayToList tests with the program that lists connections, unless this kernel refuses it, and by netlink.
func eachWayToList(t *testing.T, test func(*testing.T, *place)) {
	t.Run("by a program", func(t *testing.T) { test(t, newPlace(t).open()) })
	t.Run("by netlink", func(t *testing.T) {
		p := newPlace(t).open()
		if lists := p.signals.collection.Programs[program.SignalsProgRenewSignalConnections]; lists != nil {
			must(t, lists.Close())
			delete(p.signals.collection.Programs, program.SignalsProgRenewSignalConnections)
		}
		test(t, p)
	})
}
