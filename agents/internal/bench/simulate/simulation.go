package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"

	"fairlead.dev/agents/internal/adaptive/policy"
)

// simulation is a run in progress.
type simulation struct {
	Plan
	random *rand.Rand   // of the subject
	load   []*rand.Rand // of each entry, so that all subjects get the same requests

	rateVersions []int // by entry: the next request of an earlier one doesn't enter

	now       float64
	queue     queue
	calls     []func()
	called    []int // indexes of calls to use again
	nodes     []node
	backends  []backend
	endpoints []int    // backends that are offered
	local     [][]int  // those, by node
	offering  int      // nodes with any
	links     [][]link // by entry and node
	open      [][]int  // requests without a reply, by entry and backend
	slots     [][]connection
	requests  []request
	free      []int32 // requests to use again
	subject   subject
	record    recorder
}

type backend struct {
	node  int
	alive bool
}

// link is what the entry knows about a node.
type link struct {
	open          int // requests without a reply
	connections   int // where they carry many requests
	onTheWay      int // requests that haven't arrived there
	replies       int
	repliesBefore int // at the last window
	replyRate     float64
	exchanged     report // the newest figures
	carried       report // … or what a reply carried, if it is newer
}

type report struct {
	at float64 // when they were taken
	policy.Figures
}

// Run simulates a plan with a subject. It ends early with the context.
func Run(ctx context.Context, plan Plan, name string) (Result, error) {
	if err := plan.Check(); err != nil {
		return Result{}, err
	}
	create, known := subjects[name]
	if !known {
		return Result{}, fmt.Errorf("unknown subject %q; the subjects are %q", name, Subjects())
	}
	s := newSimulation(plan, create())
	s.start()
	if err := s.run(ctx); err != nil {
		return Result{}, err
	}
	return s.record.result(s.nodes), nil
}

func newSimulation(plan Plan, subject subject) *simulation {
	n := len(plan.Cores)
	s := &simulation{Plan: plan, subject: subject, random: rand.New(rand.NewPCG(plan.Seed, 7)), record: newRecorder(plan)}
	s.Rates, s.rateVersions = append([]float64(nil), plan.Rates...), make([]int, n) // a change may set them
	for j := range n {
		s.load = append(s.load, rand.New(rand.NewPCG(plan.Seed, uint64(100+j))))
		s.nodes = append(s.nodes, newNode(plan.Cores[j], n))
		plan.limit(&s.nodes[j].cores, j)
		for range plan.Backends[j] {
			s.backends = append(s.backends, backend{j, true})
		}
	}
	s.links, s.open = table[link](n, n), table[int](n, len(s.backends))
	s.slots = table[connection](n, max(1, plan.Connections))
	for _, links := range s.links {
		for j := range links {
			idle := report{Figures: policy.Figures{Cores: plan.Cores[j]}} // nodes run before requests enter
			links[j].exchanged, links[j].carried = idle, idle
		}
	}
	s.offer()
	return s
}

// offer updates the endpoints.
func (s *simulation) offer() {
	s.endpoints, s.local, s.offering = nil, make([][]int, len(s.nodes)), 0
	for b, backend := range s.backends {
		if backend.alive {
			s.endpoints = append(s.endpoints, b)
			s.local[backend.node] = append(s.local[backend.node], b)
		}
	}
	for _, local := range s.local {
		s.offering += min(1, len(local))
	}
}

func (s *simulation) start() {
	s.subject.start(s)
	for entry := range s.nodes {
		if s.Clients == nil {
			s.enterLater(entry)
		} else {
			for client := range s.Clients[entry] {
				s.queue.add(float64(client)*1e-5, enters, entry, client)
			}
		}
		s.every(s.Exchange, s.random.Float64()*s.Exchange, func() { s.subject.round(s, entry) })
	}
	if period := s.subject.period(); period > 0 {
		s.every(period, 0, func() { s.subject.tick(s) })
	}
	s.every(window, window, s.measure)
	s.after(s.Warmup, func() { s.record.start(s.nodes, s.now) })
	for _, change := range s.Changes {
		s.after(change.At, func() { s.change(change) })
	}
}

// stepsPerCheck is how many events pass until a run sees that its context has ended.
const stepsPerCheck = 1 << 12

func (s *simulation) run(ctx context.Context) error {
	end := s.Warmup + s.For
	for steps := 0; len(s.queue.heap) > 0; steps++ {
		if steps%stepsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next := s.queue.next()
		if next.at > end {
			break
		}
		s.now = next.at
		s.step(&next)
	}
	return nil
}

func (s *simulation) step(e *event) {
	of := int(e.of)
	switch e.step {
	case enters:
		if s.Clients == nil {
			if int(e.and) != s.rateVersions[of] {
				return
			}
			s.enterLater(of)
			s.enter(of, s.load[of].IntN(addresses))
		} else {
			s.enter(of, int(e.and))
		}
	case arrives:
		s.arrive(e.of)
	case completes:
		if s.nodes[of].version == int(e.and) {
			s.complete(of)
		}
	case adjusts:
		if n := &s.nodes[of]; n.version == int(e.and) {
			n.advance(s.now)
			s.reschedule(of)
		}
	case replies:
		s.reply(e.of)
	case calls:
		s.calls[of]()
	}
}

// addresses is how many client addresses each entry has.
const addresses = 64

func (s *simulation) enterLater(entry int) {
	if s.Rates[entry] > 0 {
		s.queue.add(s.now+s.load[entry].ExpFloat64()/s.Rates[entry], enters, entry, s.rateVersions[entry])
	}
}

// after calls once; every again and again.
func (s *simulation) after(seconds float64, call func()) {
	var index int
	if last := len(s.called) - 1; last >= 0 {
		index, s.called = s.called[last], s.called[:last]
	} else {
		index = len(s.calls)
		s.calls = append(s.calls, nil)
	}
	s.calls[index] = func() {
		s.called = append(s.called, index)
		call()
	}
	s.queue.add(s.now+seconds, calls, index, 0)
}

func (s *simulation) every(period, first float64, call func()) {
	s.after(first, func() {
		call()
		s.every(period, period, call)
	})
}
