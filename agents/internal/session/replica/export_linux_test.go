package replica

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/netspace"
)

// Lab is a replica for tests with companions, whose package imports this one.
type Lab struct {
	Replica *Replica
	LAN     *netspace.Space // of the backends
}

func NewLab(t testing.TB) *Lab {
	p := newPlace(t)
	return &Lab{p.replica, p.lan}
}

// Services returns those that are set.
func (l *Lab) Services() []Service { return *copyOf(*l.Replica.services.Load()) }

// Known returns how many ids are in the map.
func (l *Lab) Known(t testing.TB) (known int) {
	t.Helper()
	s := &l.Replica.stored
	s.mutex.Lock() // the replica sweeps, too
	defer s.mutex.Unlock()
	lives := s.lives
	defer func() { s.lives = lives }()
	s.lives = func() func(program.SessionSessionIdEntry) bool {
		return func(program.SessionSessionIdEntry) bool { known++; return true }
	}
	must(t, s.sweep())
	return known
}
