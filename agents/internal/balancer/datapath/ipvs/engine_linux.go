package ipvs

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/moby/ipvs"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/reach"
)

// Engine is the data path of one replica. Its only state besides the kernel's is what it
// set last.
type Engine struct {
	handle   *ipvs.Handle
	mark     uint32             // of its services
	services []datapath.Service // as last set, without those that failed
	warnings []string
}

// Set implements datapath.Engine.
func (e *Engine) Set(_ context.Context, services []datapath.Service) (outcome datapath.Outcome, err error) {
	there, others, err := e.read()
	if err != nil {
		return outcome, err
	}
	good, failures := datapath.Sift(services, e.services, deliveries, func(s *datapath.Service) error { return check(s, others) })
	marked, lost, err := reach.Mark(good)
	if err != nil {
		return outcome, err
	}
	keep := map[datapath.Key]bool{}
	for _, failure := range failures {
		keep[failure.Service] = true // as a former process left it
	}
	before := e.before(marked)
	outcome, err = e.apply(translate(marked, e.mark), before, there, keep)
	if err != nil {
		return outcome, err
	}
	e.services = carried(good, before, outcome.Failures)
	outcome.Failures = slices.Concat(failures, outcome.Failures, datapath.OfRoutes(lost))
	return outcome, nil
}

func check(s *datapath.Service, others map[datapath.Key]bool) error {
	if _, err := translateOne(s); err != nil {
		return err
	}
	if err := datapath.OnlyAgreed(s); err != nil {
		return err
	}
	if others[s.Key] {
		return errors.New("IP_VS has it already, created by another program; delete it there, or choose another engine")
	}
	return isLocal(s.Key)
}

// isLocal returns an error unless packets to a service reach IP_VS.
func isLocal(key datapath.Key) error {
	routes, err := netlink.RouteGet(key.Address.AsSlice())
	if err != nil || len(routes) == 0 || routes[0].Type != unix.RTN_LOCAL {
		return datapath.RoutesError{Err: fmt.Errorf("the address isn't this host's own, so IP_VS never sees its packets; add it, as with: ip route add local %s dev lo", key.Address)}
	}
	return nil
}

// apply changes only what differs. It adds backends before it deletes others, so that a
// service never has fewer than it needs. One that can't be changed stays as it was before,
// with its backends' health of now.
func (e *Engine) apply(wanted []*service, before map[datapath.Key]datapath.Service, there map[datapath.Key]*service, keep map[datapath.Key]bool) (outcome datapath.Outcome, err error) {
	for _, want := range wanted {
		have := there[want.key]
		delete(there, want.key)
		changed, err := e.applyService(want.kernel, have)
		if err != nil {
			outcome.Failures = append(outcome.Failures, datapath.Failure{Service: want.key, Reason: explain(err, want.kernel).Error(), Previous: have != nil, OfEngine: true})
			was, known := before[want.key]
			if have == nil || !known {
				continue
			}
			if want, err = translateOne(&was); err != nil {
				continue // never: it was set before
			}
			changed = 0
		}
		outcome.Changes += changed
		if have == nil {
			have = &service{}
		}
		backends, err := e.applyBackends(want, have)
		outcome.Changes += backends.Changes
		outcome.Failures = append(outcome.Failures, backends.Failures...)
		if err != nil {
			return outcome, fmt.Errorf("service %s: %w", want.key, err)
		}
	}
	for key, gone := range there {
		if keep[key] {
			continue
		}
		if err := e.handle.DelService(gone.kernel); err != nil && !isGone(err) {
			return outcome, fmt.Errorf("delete service %s: %w", key, err)
		}
		outcome.Changes++
	}
	return outcome, nil
}

func (e *Engine) applyService(want *ipvs.Service, have *service) (changes int, err error) {
	switch {
	case have == nil:
		return 1, e.handle.NewService(want)
	case have.kernel.SchedName != want.SchedName || have.kernel.Flags != want.Flags:
		return 1, e.handle.UpdateService(want)
	}
	return 0, nil
}

func (e *Engine) applyBackends(want, have *service) (outcome datapath.Outcome, err error) {
	for _, backend := range want.backends {
		at := addressOf(backend)
		old := have.at(at)
		var err error
		switch {
		case old == nil:
			err = e.handle.NewDestination(want.kernel, backend)
		case old.Weight != backend.Weight || old.ConnectionFlags&ipvs.ConnFwdMask != backend.ConnectionFlags:
			err = e.handle.UpdateDestination(want.kernel, backend)
		default:
			continue
		}
		if err != nil {
			outcome.Failures = append(outcome.Failures, datapath.Failure{Service: want.key, Backend: want.ids[at], Reason: fmt.Sprintf("can't be added to IP_VS: %v", err), OfEngine: true})
			continue
		}
		outcome.Changes++
	}
	for _, old := range have.backends {
		if want.at(addressOf(old)) != nil {
			continue
		}
		if err := e.handle.DelDestination(want.kernel, old); err != nil && !isGone(err) {
			return outcome, fmt.Errorf("delete backend %s: %w", addressOf(old), err)
		}
		outcome.Changes++
	}
	return outcome, nil
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
	observed := datapath.Observed{LiveAt: time.Now(), Drops: map[string]uint64{}, Warnings: e.warnings}
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
	there, others, err := e.read()
	if err == nil {
		_, err = e.apply(nil, nil, there, nil)
	}
	if err != nil {
		return err
	}
	e.services = nil
	if len(others) > 0 {
		return nil
	}
	expireInactive("0")
	return nil
}

// Close implements datapath.Engine: the kernel keeps carrying traffic.
func (e *Engine) Close() error {
	e.handle.Close()
	return nil
}

// isGone reports whether what should be deleted is gone already: another program may delete
// it too, and the rest must still be applied.
func isGone(err error) bool { return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ESRCH) }

// explain rewrites the kernel's error for an unknown scheduler.
func explain(err error, service *ipvs.Service) error {
	if errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("this kernel has no scheduler %q; load the module ip_vs_%s on the host, or name another scheduler", service.SchedName, service.SchedName)
	}
	return err
}
