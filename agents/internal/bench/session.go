package bench

import (
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/bench/load"
)

// Sequence is Return of one client at a time.
const Sequence Workload = "sequence"

// SessionPlan is what to measure of services that return clients to their backend.
type SessionPlan struct {
	Rounds      int
	Warmup, For time.Duration // of each turn
	Connections int           // of small requests
	Clients     int           // that return at the same time
	Returns     int           // of each case; no cases when 0
	Cases       Cases
	Changes     []Change // only cases with these; all when empty
	Subjects    []string // only these; all when empty
}

// Check returns an error for an invalid plan.
func (p SessionPlan) Check() error {
	switch {
	case p.Rounds < 0 || p.Returns < 0 || p.Rounds+p.Returns == 0:
		return fmt.Errorf("--rounds is %d and --returns is %d; give 0 or more, and not 0 for both", p.Rounds, p.Returns)
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

// turns is the plan of turns with so many connections.
func (p SessionPlan) turns(connections int) Plan {
	return Plan{Rounds: max(1, p.Rounds), Connections: connections, Warmup: p.Warmup, For: p.For}
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
	return list
}

func (p SessionPlan) measures(change Change) bool {
	return len(p.Changes) == 0 || slices.Contains(p.Changes, change)
}
