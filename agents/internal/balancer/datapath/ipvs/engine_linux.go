package ipvs

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"github.com/moby/ipvs"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Engine is the data path of one replica. Its only state besides the kernel's is what it
// set last.
type Engine struct {
	handle   *ipvs.Handle
	mark     uint32 // of its services
	services []datapath.Service
	carries  bool // true while these services are carried
	warnings []string
}

// Set implements datapath.Engine.
func (e *Engine) Set(_ context.Context, services []datapath.Service) (int, error) {
	wanted, err := translate(services, e.mark)
	if err != nil {
		return 0, err
	}
	for _, one := range wanted {
		if err := isLocal(one.key); err != nil {
			return 0, err
		}
	}
	changes, err := e.apply(wanted)
	if err != nil && !e.carries {
		return 0, err // the state of a former process stays
	}
	if err != nil {
		before, _ := translate(e.services, e.mark) // it was valid when it was set
		_, undo := e.apply(before)
		return 0, errors.Join(err, undo)
	}
	e.services, e.carries = services, true
	return changes, nil
}

// isLocal returns an error unless packets to a service reach IP_VS.
func isLocal(key datapath.Key) error {
	routes, err := netlink.RouteGet(key.Address.AsSlice())
	if err != nil || len(routes) == 0 || routes[0].Type != unix.RTN_LOCAL {
		return fmt.Errorf("service %s: the address isn't this host's own, so IP_VS never sees its packets; add it, as with: ip route add local %s dev lo", key, key.Address)
	}
	return nil
}

// apply changes only what differs. It adds backends before it deletes others, so that a
// service never has fewer than it needs.
func (e *Engine) apply(wanted []*service) (changes int, err error) {
	there, others, err := e.read()
	if err != nil {
		return 0, err
	}
	for _, want := range wanted {
		if others[want.key] {
			return 0, fmt.Errorf("service %s: IP_VS has it already, created by another program; delete it there, or choose another engine", want.key)
		}
	}
	for _, want := range wanted {
		have := there[want.key]
		delete(there, want.key)
		if have == nil {
			if err := e.handle.NewService(want.kernel); err != nil {
				return changes, fmt.Errorf("add service %s: %w", want.key, explain(err, want.kernel))
			}
			changes, have = changes+1, &service{}
		} else if have.kernel.SchedName != want.kernel.SchedName || have.kernel.Flags != want.kernel.Flags {
			if err := e.handle.UpdateService(want.kernel); err != nil {
				return changes, fmt.Errorf("change service %s: %w", want.key, explain(err, want.kernel))
			}
			changes++
		}
		more, err := e.applyBackends(want, have)
		changes += more
		if err != nil {
			return changes, fmt.Errorf("service %s: %w", want.key, err)
		}
	}
	for key, gone := range there {
		if err := e.handle.DelService(gone.kernel); err != nil {
			return changes, fmt.Errorf("delete service %s: %w", key, err)
		}
		changes++
	}
	return changes, nil
}

func (e *Engine) applyBackends(want, have *service) (changes int, err error) {
	for _, backend := range want.backends {
		at := addressOf(backend)
		old := have.at(at)
		switch {
		case old == nil:
			err = e.handle.NewDestination(want.kernel, backend)
		case old.Weight != backend.Weight || old.ConnectionFlags&ipvs.ConnFwdMask != backend.ConnectionFlags:
			err = e.handle.UpdateDestination(want.kernel, backend)
		default:
			continue
		}
		if err != nil {
			return changes, fmt.Errorf("set backend %s: %w", at, err)
		}
		changes++
	}
	for _, old := range have.backends {
		if want.at(addressOf(old)) != nil {
			continue
		}
		if err := e.handle.DelDestination(want.kernel, old); err != nil {
			return changes, fmt.Errorf("delete backend %s: %w", addressOf(old), err)
		}
		changes++
	}
	return changes, nil
}

// read returns the services of this replica, and the keys of all others.
func (e *Engine) read() (there map[datapath.Key]*service, others map[datapath.Key]bool, err error) {
	services, err := e.handle.GetServices()
	if err != nil {
		return nil, nil, fmt.Errorf("list services of IP_VS: %w", err)
	}
	there, others = map[datapath.Key]*service{}, map[datapath.Key]bool{}
	for _, kernel := range services {
		address, _ := netip.AddrFromSlice(kernel.Address)
		key := datapath.Key{Address: address, Port: kernel.Port, Protocol: datapath.Protocol(kernel.Protocol)}
		if !e.made(kernel) {
			others[key] = true
			continue
		}
		backends, err := e.handle.GetDestinations(kernel)
		if err != nil {
			return nil, nil, fmt.Errorf("list backends of IP_VS: %w", err)
		}
		kernel.Flags &^= flagHashed
		there[key] = &service{key: key, kernel: kernel, backends: backends}
	}
	return there, others, nil
}

// Observe implements datapath.Engine.
func (e *Engine) Observe(context.Context) (datapath.Observed, error) {
	observed := datapath.Observed{Drops: map[string]uint64{}, Warnings: e.warnings}
	there, _, err := e.read()
	if err != nil {
		return observed, err
	}
	for i := range e.services {
		set := &e.services[i]
		have := there[set.Key]
		if have == nil {
			continue
		}
		service := datapath.ServiceCounts{Key: set.Key, Counts: countsOf(have.kernel.Stats)} // including backends that are gone
		for _, backend := range set.Backends {
			counts := have.counts(netip.AddrPortFrom(backend.Address, backend.Port))
			service.Backends = append(service.Backends, datapath.BackendCounts{ID: backend.ID, Counts: counts})
			service.Counts.LiveConnections += counts.LiveConnections
		}
		observed.Services = append(observed.Services, service)
	}
	return observed, nil
}

func (s *service) counts(at netip.AddrPort) datapath.Counts {
	backend := s.at(at)
	if backend == nil {
		return countsOf(ipvs.SvcStats{}) // inactive
	}
	counts := countsOf(ipvs.SvcStats(backend.Stats))
	counts.LiveConnections = uint64(backend.ActiveConnections)
	if s.key.Protocol == datapath.UDP { // UDP is never established
		counts.LiveConnections += uint64(backend.InactiveConnections)
	}
	return counts
}

// countsOf converts the kernel's counts, which include replies only where it translates
// them.
func countsOf(stats ipvs.SvcStats) datapath.Counts {
	return datapath.Counts{
		Packets: uint64(stats.PacketsIn), Bytes: stats.BytesIn, Connections: uint64(stats.Connections),
		ToClients: datapath.Answers{Bytes: stats.BytesOut, Known: true},
	}
}

// Remove implements datapath.Engine: services of other programs stay, and so does the
// setting if they may need it.
func (e *Engine) Remove() error {
	if _, err := e.apply(nil); err != nil {
		return err
	}
	e.services = nil
	if _, others, err := e.read(); err != nil || len(others) > 0 {
		return err
	}
	expireInactive("0")
	return nil
}

// Close implements datapath.Engine: the kernel keeps carrying traffic.
func (e *Engine) Close() error {
	e.handle.Close()
	return nil
}

// explain rewrites the kernel's error for an unknown scheduler.
func explain(err error, service *ipvs.Service) error {
	if errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("this kernel has no scheduler %q; load the module ip_vs_%s on the host, or name another scheduler", service.SchedName, service.SchedName)
	}
	return err
}
