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
	for name, data := range map[string][]byte{
		"of TLS 1.2 alone": resuming(unknown), "that lists TLS 1.2 alone": listing([]byte{3, 3}, unknown), "with an empty list": listing(nil, unknown),
	} {
		if p.sends(t, p.from(), data) {
			t.Errorf("a hello %s doesn't wait", name)
		}
		of := p.from()
		p.inParts(t, of, data)
		p.placedAt(t, of)
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
	before := p.countsOf(t, ServiceCounts{})
	visit := func(n int) time.Duration {
		of, began := p.from(), time.Now()
		p.sends(t, of, resuming(idText(n)))
		p.placedAt(t, of)
		return time.Since(began)
	}
	const most = 5 // this process may be slow, too
	n := 0
	for ; n < most && !isSilent(); n++ {
		if took := visit(n); took < silentSpan {
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
	if shortest >= silentSpan/2 {
		t.Errorf("clients still wait for %s", shortest)
	}
	if got, all := p.countsOf(t, before).Searched, uint64(n); got != (Searched{Unanswered: all}) {
		t.Errorf("%+v of %d", got, all)
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
	for name, reach := range map[string]func(){
		"waiting hellos": func() { all.waiting, all.queries = idWaitsMost, 0 },
		"queries":        func() { all.waiting, all.queries = 0, idQueriesMost-1 },
	} {
		p.replica.partsMutex.Lock() // so that no repetition begins
		if reach(); p.replica.searchID(&partial{key: flow}, whole, time.Now()) {
			t.Errorf("beyond the limit of %s, it waits", name)
		}
		if !p.sends(t, p.from(), resuming(idText(2))) {
			t.Errorf("beyond the limit of %s, the program passes hellos on", name)
		}
		all.waiting, all.queries = 0, 0
		p.replica.partsMutex.Unlock()
		for deadline := time.Now().Add(10 * time.Second); p.sends(t, p.from(), resuming(idText(2))); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("after the limit of %s, the program passes none on", name)
			}
		}
	}
}

// Anyone can send hellos with random ids. Other hellos in parts must not be lost for them.
func TestUnknownIDsHaveLimitsOfTheirOwn(t *testing.T) {
	p := newPlace(t)
	peersOf(t, p)
	const partsAllowed, searchesAllowed = 1, 2 // enum allowed
	allowance := p.replica.collection.Maps[program.SessionMapSessionAllowance]
	type used struct{ Second, Used uint64 }
	isPassed := func(exhausted uint32) bool {
		for tries := 1; ; tries++ { // the second may end in between
			all := make([]used, ebpf.MustPossibleCPU())
			for i := range all {
				all[i] = used{program.Monotonic() >> 30, 1 << 40}
			}
			must(t, allowance.Put(exhausted, all))
			if p.sends(t, p.from(), resuming(idText(1))) {
				return false
			}
			if tries == 3 {
				return true
			}
		}
	}
	if isPassed(searchesAllowed) {
		t.Error("beyond the limit, the program passes hellos with unknown ids on")
	}
	of := p.from()
	p.inParts(t, of, versioned(idText(1)))
	p.placedAt(t, of)
	must(t, allowance.Put(uint32(searchesAllowed), make([]used, ebpf.MustPossibleCPU())))
	if !isPassed(partsAllowed) {
		t.Error("hellos with unknown ids share the limit of parts")
	}
}

func TestUnknownIDsLeaveRoomForPartsOfOtherHellos(t *testing.T) {
	p := newPlace(t)
	peersOf(t, p)
	p.replica.partsMutex.Lock() // so that nothing is read
	p.replica.searchIDsUntil(time.Now().Add(time.Minute))
	const keptFrame = 1 << 14 // bytes: KEPT_FRAME
	passed, most := 0, int(program.SessionSessionLimitsSESSION_PART_BYTES)/keptFrame
	for ; passed < most && !p.sends(t, p.from(), resuming(idText(passed))); passed++ {
	}
	of := p.from()
	p.inParts(t, of, versioned(idText(1)))
	p.replica.partsMutex.Unlock()
	if passed < most/3 || passed > most*2/3 {
		t.Errorf("%d of %d places have hellos with unknown ids", passed, most)
	}
	p.placedAt(t, of)
}

func TestWithoutTheAgentHellosAreOfNewSessions(t *testing.T) {
	p := newPlace(t)
	peersOf(t, p)
	p.replica.partsMutex.Lock() // so that a repetition is under way
	time.Sleep(2 * repeatEvery)
	closed := make(chan error)
	go func() { closed <- p.replica.Close() }()
	<-p.replica.done
	time.Sleep(50 * time.Millisecond)
	p.replica.partsMutex.Unlock()
	must(t, <-closed)
	for n := range 4 {
		if got := p.first(t, connection4, resuming(idText(n))); !slices.Contains([]string{"a", "b"}, got) {
			t.Errorf("%q", got)
		}
	}
}
