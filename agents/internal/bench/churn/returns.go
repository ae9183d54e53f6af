package churn

import (
	"context"
	"slices"

	"fairlead.dev/agents/internal/bench/models"
)

// Returned is how many clients one model sent to the backend that has their TLS session.
type Returned struct {
	Round       int     `json:"round"`
	Subject     string  `json:"subject"`
	Resumption  string  `json:"resumption"`
	Replicas    int     `json:"replicas"` // at the start
	Changes     string  `json:"changes"`
	Connections int     `json:"connections"`
	Broken      int     `json:"broken"`  // established, and then sent elsewhere
	Failed      int     `json:"failed"`  // never established
	Returns     int     `json:"returns"` // to a backend that takes connections
	Kept        int     `json:"kept"`    // of the returns, those that reached it
	KeptShare   float64 `json:"keptShare"`
	Gone        int     `json:"gone"` // returns to a removed backend
}

// variant is a scenario of which only some members change.
type variant struct {
	Scenario
	name string
}

// variants begin without changes and with one replica, where tables of one replica are enough.
func variants(s Scenario) []variant {
	var all []variant
	for _, replicas := range slices.Compact([]int{1, len(s.Topology.Balancers)}) {
		smaller := *s.Topology
		smaller.Balancers = smaller.Balancers[:replicas]
		none := s
		none.Topology, none.Backends, none.Replicas = &smaller, 0, 0
		ofReplicas, ofBackends, both := none, none, none
		ofReplicas.Replicas = min(s.Replicas, replicas)
		ofBackends.Backends = s.Backends
		both.Replicas, both.Backends = ofReplicas.Replicas, s.Backends
		all = append(all, variant{none, "none"}, variant{ofReplicas, "replicas"}, variant{ofBackends, "backends"}, variant{both, "replicas and backends"})
	}
	return all
}

// Returns replays the clients of the topology, with each kind of resumption, on all models or the named ones.
// It needs no lab. It ends early when the context does.
func Returns(ctx context.Context, s Scenario, rounds int, only []string, print func(Line)) error {
	if err := s.Check(); err != nil {
		return err
	}
	known, err := chosenModels(only)
	if err != nil {
		return err
	}
	for round := range rounds {
		for _, v := range variants(s) {
			for _, resumption := range models.Resumptions {
				for _, each := range known {
					returned := v.returns(ctx, each, resumption, round)
					if err := ctx.Err(); err != nil {
						return err
					}
					print(Line{Returned: returned})
				}
			}
		}
	}
	return nil
}

func (v variant) returns(ctx context.Context, known models.Known, resumption models.Resumption, round int) *Returned {
	span := models.Span{Before: v.Warmup, Counted: v.Span, After: v.longest()}
	got := models.Replay(ctx, known.New(), resumption, v.traffic(), span, v.changes(), uint64(round)+1)
	return &Returned{
		Round: round, Subject: known.Name, Resumption: resumption.Name, Replicas: len(v.Topology.Balancers), Changes: v.name,
		Connections: got.Connections, Broken: got.Broken, Failed: got.Failed,
		Returns: got.Returns, Kept: got.Kept, KeptShare: float64(got.Kept) / float64(max(1, got.Returns)), Gone: got.Gone,
	}
}

func chosenModels(only []string) ([]models.Known, error) {
	if len(only) == 0 {
		return models.All, nil
	}
	var chosen []models.Known
	for _, name := range only {
		known, err := models.Find(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, known)
	}
	return chosen, nil
}
