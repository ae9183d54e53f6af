package throughput

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
	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/router"
)

// come is how long replicas may take to be added or removed.
const come = 60 * time.Second

// stage is a lab whose replicas are removed and added by draining their nodes.
type stage struct {
	*benchlab.Lab
	topology *topology.Topology
	router   *netspace.Space
	client   *netspace.Space
	backends *netspace.Space // of the host with all pods
	places   []netip.Addr    // of replicas, in the topology's order
	serving  []bool
}

func newStage(ctx context.Context, l *benchlab.Lab, t *topology.Topology) (s *stage, err error) {
	s = &stage{Lab: l, topology: t, serving: make([]bool, len(t.Balancers))}
	for into, member := range map[**netspace.Space]string{
		&s.router: topology.Router, &s.client: t.Clients[0].Name, &s.backends: t.Pods[0].Node,
	} {
		if *into, err = netspace.Open(lab.SpaceName(l.Name, member)); err != nil {
			return s, err
		}
	}
	// A congestion control that slows down on loss. BBR, the default of some hosts, doesn't: when 64 BBR
	// connections share one full cable, the same packet is sometimes lost five times in a row, which takes
	// ten seconds without any fault.
	if err := s.client.SetSysctl("net/ipv4/tcp_congestion_control", "reno"); err != nil {
		return s, err
	}
	status, err := s.Await(ctx, "all replicas", come, func(status lab.Status) bool {
		return len(status.Routes) > 0 && len(status.Routes[0].Via) == len(t.Balancers)
	})
	if err != nil {
		return s, err
	}
	for i, replica := range t.Balancers {
		s.serving[i] = true
		for _, m := range status.Members {
			if m.Name != replica.Name {
				continue
			}
			place, err := netip.ParseAddr(m.Addresses[0])
			if err != nil {
				return s, err
			}
			s.places = append(s.places, place)
		}
	}
	return s, nil
}

func (s *stage) close() error {
	var errs []error
	for _, space := range []*netspace.Space{s.router, s.client, s.backends} {
		if space != nil {
			errs = append(errs, space.Close())
		}
	}
	return errors.Join(errs...)
}

// address is the service's address.
func (s *stage) address() string {
	service := s.topology.Services[0]
	return netip.AddrPortFrom(service.Address4, service.Port).String()
}

// serve enables exactly these replicas, and waits until the router's kernel has them.
func (s *stage) serve(ctx context.Context, wanted []bool) error {
	for i, wants := range wanted {
		if wants == s.serving[i] {
			continue
		}
		verb := "drain"
		if wants {
			verb = "undrain"
		}
		if err := s.Do(ctx, verb, s.topology.Balancers[i].Node); err != nil {
			return err
		}
		s.serving[i] = wants
	}
	var hops []netip.Addr
	for i, wants := range wanted {
		if wants {
			hops = append(hops, s.places[i])
		}
	}
	slices.SortFunc(hops, netip.Addr.Compare)
	return s.routed(ctx, hops)
}

func (s *stage) routed(ctx context.Context, hops []netip.Addr) error {
	ctx, stop := context.WithTimeout(ctx, come)
	defer stop()
	for {
		routes, err := fib.Read(s.router.Do, router.Owner)
		if err != nil {
			return err
		}
		is := len(routes) > 0
		for _, now := range routes {
			is = is && slices.Equal(now, hops)
		}
		if is {
			return nil
		}
		if err := benchlab.Pause(ctx, 5*time.Millisecond); err != nil {
			return fmt.Errorf("wait for the router's kernel to have %v: %w", hops, err)
		}
	}
}

// arrived counts the bytes received by the backends' host.
func (s *stage) arrived() (uint64, error) {
	const uplink = "eth0"
	link, err := s.backends.Links().LinkByName(uplink)
	if err != nil {
		return 0, fmt.Errorf("find %s of %s: %w", uplink, s.backends.Name, err)
	}
	return link.Attrs().Statistics.RxBytes, nil
}

// carried is the throughput over a time, in Mbit/s.
func (s *stage) carried(ctx context.Context, span time.Duration) (float64, error) {
	before, err := s.arrived()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := benchlab.Pause(ctx, span); err != nil {
		return 0, err
	}
	after, err := s.arrived()
	return mbps(after-before, time.Since(began)), err
}

func mbps(bytes uint64, span time.Duration) float64 {
	return float64(bytes) * 8 / 1e6 / span.Seconds()
}
