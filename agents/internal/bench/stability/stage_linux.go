package stability

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/bench/benchlab"
	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/lab/app"
	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/router"
)

// stage is a lab that runs the scenario.
type stage struct {
	*benchlab.Lab
	scenario Scenario
	places   map[string]netip.Addr // of replicas, which keep their addresses when they return
}

// do makes the change. A replica is killed in the order a failing host would do it: its processes and their
// connections end first, then its network.
func (s *stage) do(ctx context.Context, change Change) error {
	replica := s.scenario.Topology.Balancers[change.Replica]
	switch change.Kind {
	case Drained:
		return s.Do(ctx, "remove", "balancer", replica.Name)
	case Killed:
		if err := s.kill(ctx, replica.Name); err != nil {
			return err
		}
		return s.Do(ctx, "cut", replica.Name)
	case CutOff:
		return s.Do(ctx, "cut", replica.Name)
	case Added:
		return s.Do(ctx, "add", "balancer", replica.Node)
	}
	return fmt.Errorf("there is no change %s of a replica", change.Kind)
}

// kill ends both processes of a replica at once.
func (s *stage) kill(ctx context.Context, replica string) error {
	for _, process := range []string{replica + ".speaker", replica} {
		if err := s.Do(ctx, "kill", process); err != nil {
			return err
		}
	}
	_, err := s.Await(ctx, "the end of the processes of "+replica, come, func(status lab.Status) bool {
		return !slices.ContainsFunc(status.Members, func(m lab.MemberStatus) bool {
			return (m.Name == replica || m.Name == replica+".speaker") && m.Pid != 0
		})
	})
	return err
}

func (s *stage) client() string { return s.scenario.Topology.Clients[0].Name }

func (s *stage) name(change Change) string { return s.scenario.Topology.Balancers[change.Replica].Name }

func (s *stage) address(change Change) netip.Addr { return s.places[s.name(change)] }

// whole waits until the expected replicas are routed and all connections are open.
func (s *stage) whole(ctx context.Context, change Change) error {
	replicas := len(s.scenario.Topology.Balancers)
	if change.Kind == Added {
		replicas--
	}
	status, err := s.Await(ctx, "all replicas and connections", come, func(status lab.Status) bool {
		for _, p := range protocols {
			traffic := s.scenario.traffic(p.serve)
			if counted(status, traffic.Service).Open != int64(traffic.Connections) {
				return false
			}
		}
		return len(status.Routes) == len(s.scenario.Topology.Services) &&
			!slices.ContainsFunc(status.Routes, func(r lab.RouteStatus) bool { return len(r.Via) != replicas })
	})
	if err != nil || s.places != nil {
		return err
	}
	s.places = map[string]netip.Addr{}
	for _, m := range status.Members {
		if m.Kind != "balancer" {
			continue
		}
		if s.places[m.Name], err = netip.ParseAddr(m.Addresses[0]); err != nil {
			return err
		}
	}
	return nil
}

// routed waits until the router's kernel has a replica in all its routes, or in none.
func (s *stage) routed(ctx context.Context, replica netip.Addr, in bool) error {
	ctx, stop := context.WithTimeout(ctx, come)
	defer stop()
	space, err := netspace.Open(lab.SpaceName(s.Name, topology.Router))
	if err != nil {
		return err
	}
	defer space.Close()
	for {
		routes, err := fib.Read(space.Do, router.Owner)
		if err != nil {
			return err
		}
		all := len(routes) > 0
		for _, hops := range routes {
			all = all && slices.Contains(hops, replica) == in
		}
		if all {
			return nil
		}
		if err := benchlab.Pause(ctx, 5*time.Millisecond); err != nil {
			return fmt.Errorf("wait for the router's kernel to have %s (%t): %w", replica, in, err)
		}
	}
}

// settle waits until every break is detected: each connection has sent a request since, and none waits for a
// reply.
func (s *stage) settle(ctx context.Context, change Change) error {
	if change.Kind == Drained {
		if err := s.gone(ctx, change); err != nil {
			return err
		}
	}
	const tries = 3 * time.Second // for a flow's datagrams
	if err := benchlab.Pause(ctx, s.scenario.silence()+tries+time.Second); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, 2*app.AnswerTimeout)
	defer stop()
	for {
		waiting, err := s.waiting(ctx)
		if err == nil && waiting == 0 {
			return nil
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return fmt.Errorf("%d connections wait for an answer, and don't break: %w", waiting, err)
		}
	}
}

// waiting counts connections with unacknowledged data in each of several readings.
func (s *stage) waiting(ctx context.Context) (int, error) {
	var still map[netip.AddrPort]bool
	for look := range 4 {
		all, err := sockets(ctx, s.Lab, s.client(), protocols[0])
		if err != nil {
			return 0, err
		}
		all = slices.DeleteFunc(all, func(one socket) bool { return !one.waits || look > 0 && !still[one.own] })
		still = ends(all)
		if len(still) == 0 {
			break
		}
		if err := benchlab.Pause(ctx, 250*time.Millisecond); err != nil {
			return 0, err
		}
	}
	return len(still), nil
}

func ends(all []socket) map[netip.AddrPort]bool {
	own := map[netip.AddrPort]bool{}
	for _, one := range all {
		own[one.own] = true
	}
	return own
}

func (s *stage) gone(ctx context.Context, change Change) error {
	_, err := s.Await(ctx, "the end of "+s.name(change), come, func(status lab.Status) bool {
		return !slices.ContainsFunc(status.Members, func(m lab.MemberStatus) bool { return m.Name == s.name(change) })
	})
	return err
}

// clear removes what is left of a killed or cut-off replica.
func (s *stage) clear(ctx context.Context, change Change) error {
	if change.Kind == CutOff {
		if err := s.kill(ctx, s.name(change)); err != nil {
			return err
		}
	}
	if change.Kind != Killed && change.Kind != CutOff {
		return nil
	}
	if err := s.Do(ctx, "remove", "balancer", s.name(change)); err != nil {
		return err
	}
	return s.gone(ctx, change)
}
