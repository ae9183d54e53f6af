package replica

import (
	"slices"
	"testing"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/message"
)

func TestOnlyHellosThatResumeByAnUnknownIDWait(t *testing.T) {
	p := newPlace(t)
	peersOf(t, p)
	unknown := idText(1)
	for name, data := range map[string][]byte{
		"of TLS 1.3": versioned(unknown), "with a ticket": forged("", string(nameA[:])+"...", unknown), "with an unknown ticket": forged("", "unknown", unknown),
		"with a key": forged("an unknown key...", "", unknown), "without an id": forged("", "", ""), "with a shorter id": resuming(unknown[:16]),
	} {
		if !p.sends(t, p.from(), data) {
			t.Errorf("a hello %s waits", name)
		}
	}
	services := *copyOf(*p.replica.services.Load())
	services[0].WithoutIDs = true
	must(t, p.replica.Set(services))
	if !p.sends(t, p.from(), resuming(unknown)) {
		t.Error("a hello to a service without ids waits")
	}
}

// As one of an earlier version, or of a host that is gone.
func TestASilentCompanionDelaysOnlyTheFirstClients(t *testing.T) {
	p := newPlace(t)
	all := peersOf(t, p)
	all.answers[0].Store(0)
	service, _ := keyOf(connection4)
	isSilent := func() bool {
		p.replica.partsMutex.Lock()
		defer p.replica.partsMutex.Unlock()
		return p.replica.idSearches.silent.has(ofBackend{service, "a"})
	}
	visit := func(n int) time.Duration {
		of, began := p.from(), time.Now()
		p.sends(t, of, resuming(idText(n)))
		p.placedAt(t, of)
		return time.Since(began)
	}
	const most = 20
	n := 0
	for ; n < most && !isSilent(); n++ {
		if took := visit(n); took < idSearchSpan {
			t.Errorf("client %d waits for %s only", n, took)
		}
	}
	if n == most {
		t.Fatal("all clients wait for it")
	}
	shortest := time.Hour
	for range 5 { // one may be slow for another reason
		n++
		shortest = min(shortest, visit(n))
	}
	if shortest >= idSearchSpan {
		t.Errorf("clients still wait for %s", shortest)
	}
	all.answers[0].Store(uint32(message.HasID))
	visit(n + 1) // its answer may be too late for this one
	p.eventually(t, func(Counts) bool { return !isSilent() })
	of := p.from()
	p.sends(t, of, resuming(idText(n+2)))
	if got := p.placedAt(t, of); got != "a" {
		t.Errorf("once it answers again, a client goes to %s", got)
	}
}

func TestBeyondTheLimitsHellosAreOfNewSessions(t *testing.T) {
	p := newPlace(t)
	peersOf(t, p)
	_, flow := keyOf(p.from())
	whole, _ := normal(resuming(idText(1)))
	all := &p.replica.idSearches
	p.replica.partsMutex.Lock() // so that no repetition begins
	for name, reach := range map[string]func(){
		"waiting hellos": func() { all.waiting, all.queries = idWaitsMost, 0 },
		"queries":        func() { all.waiting, all.queries = 0, idQueriesMost-1 },
	} {
		if reach(); p.replica.searchID(&partial{key: flow}, whole, time.Now()) {
			t.Errorf("beyond the limit of %s, it waits", name)
		}
	}
	all.waiting, all.queries = 0, 0
	p.replica.partsMutex.Unlock()
	const partsAllowed = 1      // enum allowed
	for tries := 1; ; tries++ { // the second may end in between
		used := make([]struct{ Second, Used uint64 }, ebpf.MustPossibleCPU())
		for i := range used {
			used[i].Second, used[i].Used = program.Monotonic()>>30, 1<<40
		}
		must(t, p.replica.collection.Maps[program.SessionMapSessionAllowance].Put(uint32(partsAllowed), used))
		if p.sends(t, p.from(), resuming(idText(1))) {
			break
		}
		if tries == 3 {
			t.Fatal("beyond the limit of the program, it waits")
		}
	}
}

func TestWithoutTheAgentHellosAreOfNewSessions(t *testing.T) {
	p := newPlace(t)
	peersOf(t, p)
	must(t, p.replica.Close())
	for n := range 4 {
		if got := p.first(t, connection4, resuming(idText(n))); !slices.Contains([]string{"a", "b"}, got) {
			t.Errorf("%q", got)
		}
	}
}
