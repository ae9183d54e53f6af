package bench

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"fairlead.dev/agents/internal/bench/load"
)

// What the lines of a session benchmark call its workloads beside Small and Return.
const (
	LargeHello Workload = "large-hello" // Return with a ClientHello in two packets
	Sequence   Workload = "sequence"    // Return of one client at a time
)

// SessionPlan is what to measure of services that return clients to their backend.
type SessionPlan struct {
	Rounds      int           // of all subjects
	Warmup, For time.Duration // of each turn
	Connections int           // of small requests
	Clients     int           // that return at the same time

	Returns     int // of each case; no cases when 0
	Cases       Cases
	Changes     []Change // only cases with these; all when empty
	First, Last int      // of these, only the cases with these numbers, from 1; to the last one when Last is 0

	FloodRate    int           // of SYNs per second; no flood when 0
	FloodReturns int           // while it lasts
	NamesEvery   time.Duration // between probes of the servers' ticket keys; not measured when 0
	NamesReturns int           // after the probe that sees new keys

	DataRounds int   // of subjects whose requests need all data of their session
	Sizes      []int // of these data, in bytes

	Subjects []string // only these; all when empty
}

// Check returns an error for an invalid plan.
func (p SessionPlan) Check() error {
	switch {
	case p.Rounds < 0 || p.Returns < 0 || p.FloodRate < 0 || p.NamesEvery < 0 || p.DataRounds < 0:
		return fmt.Errorf("--rounds is %d, --returns is %d, --flood is %d, --names is %v, and --data-rounds is %d; give 0 or more", p.Rounds, p.Returns, p.FloodRate, p.NamesEvery, p.DataRounds)
	case !p.needsServers() && p.DataRounds == 0:
		return errors.New("nothing to measure: give --rounds, --returns, --flood, --names or --data-rounds")
	case p.FloodRate > 0 && p.FloodReturns < fewestReturns || p.NamesEvery > 0 && p.NamesReturns < fewestReturns:
		return fmt.Errorf("--flood-returns is %d and --names-returns is %d; give %d or more", p.FloodReturns, p.NamesReturns, fewestReturns)
	case p.DataRounds > 0 && (len(p.Sizes) == 0 || slices.Min(p.Sizes) < 1 || slices.Max(p.Sizes) > mostData):
		return fmt.Errorf("--sizes is %d; give sizes from 1 to %d bytes", p.Sizes, mostData)
	case p.First < 1 || p.Last != 0 && p.Last < p.First:
		return fmt.Errorf("--first is %d and --last is %d; give numbers of cases from 1", p.First, p.Last)
	case p.Returns > 0 && p.Returns < fewestReturns:
		return fmt.Errorf("--returns is %d; give %d or more, or 0 for no cases", p.Returns, fewestReturns)
	case p.Clients < 1 || p.Clients > 1000:
		return fmt.Errorf("--clients is %d; give 1 to 1000", p.Clients)
	case !slices.Contains([]Cases{EveryCase, FewCases, OneCase}, p.Cases):
		return fmt.Errorf("--cases is %q; give %q, %q or %q", p.Cases, EveryCase, FewCases, OneCase)
	}
	for _, change := range p.Changes {
		if !slices.Contains([]Change{NoChange, Loss, BackendChange, ReplicaFailure}, change) {
			return fmt.Errorf("--changes has %q; give some of %q, %q, %q and %q", change, NoChange, Loss, BackendChange, ReplicaFailure)
		}
	}
	return p.turns(p.Connections).Check()
}

// needsServers reports whether to measure something with servers that have no data of sessions.
func (p SessionPlan) needsServers() bool {
	return p.Rounds > 0 || p.Returns > 0 || p.FloodRate > 0 || p.NamesEvery > 0
}

// selects reports whether to measure a subject.
func (p SessionPlan) selects(name string) bool {
	return len(p.Subjects) == 0 || slices.Contains(p.Subjects, name)
}

// mostData is more than applications keep of a session, and little enough for all clients.
const mostData = 16 << 20

// turns is the plan of turns with so many connections. The client may use every processor: with fewer, it would limit
// the rate of a fast subject, but not that of a slow one.
func (p SessionPlan) turns(connections int) Plan {
	return Plan{
		Rounds: max(1, p.Rounds), Connections: connections, Warmup: p.Warmup, For: p.For,
		processors: min(connections, runtime.NumCPU()),
	}
}

// fewestReturns is enough for the users of a case.
const fewestReturns = 100

// Cases are how many of the cases to measure.
type Cases string

// The choices.
const (
	EveryCase Cases = "every" // combination
	FewCases  Cases = "few"   // each value at least once with each kind of resumption
	OneCase   Cases = "one"   // of each change and of each number of packets
)

// ReturnCase is one case in which clients return.
type ReturnCase struct {
	Resumption   load.Resumption `json:"resumption"`
	Family       int             `json:"family"`       // 4 or 6
	Timestamps   bool            `json:"timestamps"`   // in TCP, of the clients
	HelloPackets int             `json:"helloPackets"` // in which clients send the ClientHello
	Change       Change          `json:"change"`
}

// Change is what happens while clients return.
type Change string

// The changes.
const (
	NoChange       Change = "none"
	Loss           Change = "loss"     // of packets, in both directions
	BackendChange  Change = "backends" // 3, 5, then 3 again
	ReplicaFailure Change = "replicas" // each is killed in turn, then both at once
)

// Returned is the result of a case.
type Returned struct {
	ReturnCase
	Connections  uint64            `json:"connections"`
	Requests     uint64            `json:"requests"`
	Broken       uint64            `json:"broken"` // requests without a valid reply, also because the connection ended before
	Failures     map[string]uint64 `json:"failures,omitempty"`
	FirstFailure string            `json:"firstFailure,omitempty"`
	Returns      int               `json:"returns"` // with a session, whose backend accepts sessions
	Resumed      int               `json:"resumed"` // of these
	SameBackend  int               `json:"sameBackend"`
	Gone         int               `json:"gone"`        // returns with a session, whose backend is leaving or gone
	GoneResumed  int               `json:"goneResumed"` // of these, at another backend
	Between      int               `json:"between"`     // returns at the moment when backends left, in no other figure
	Unoffered    uint64            `json:"unoffered"`   // returns without a session, in no other figure
	Seconds      float64           `json:"seconds"`
}

// cases are those of a plan.
func (p SessionPlan) cases() (list []ReturnCase) {
	if p.Returns == 0 {
		return nil
	}
	variants := []struct {
		packets int
		change  Change
	}{{1, NoChange}, {2, NoChange}, {5, NoChange}, {1, Loss}, {2, BackendChange}, {1, ReplicaFailure}}
	for i, resumption := range []load.Resumption{load.PSK, load.Ticket, load.ID} {
		for j, v := range variants {
			for family := range 2 {
				for timestamps := range 2 {
					few := family == (i+j)%2 && timestamps == (i+j/2)%2
					one := few && i == j%3
					if wanted := p.Cases == EveryCase || p.Cases == FewCases && few || one; wanted && p.measures(v.change) {
						list = append(list, ReturnCase{resumption, 4 + 2*family, timestamps == 0, v.packets, v.change})
					}
				}
			}
		}
	}
	last := len(list)
	if p.Last > 0 {
		last = min(last, p.Last)
	}
	return list[min(p.First-1, last):last]
}

func (p SessionPlan) measures(change Change) bool {
	return len(p.Changes) == 0 || slices.Contains(p.Changes, change)
}
