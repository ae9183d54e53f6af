package userspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/reach"
	"fairlead.dev/agents/internal/hello"
	"fairlead.dev/agents/internal/session/proxied"
)

var deliveries = []datapath.Delivery{datapath.Proxy}

// connectionsDefault is the maximum number of open connections, and of UDP sessions, if
// there are enough descriptors: two for each connection and one for each session.
const connectionsDefault = 16_384

// Candidate is this engine. It counts each read as a packet, and the time to connect to
// the backend as the set-up of a connection.
func Candidate() datapath.Candidate {
	return datapath.Candidate{
		Name: "userspace", Deliveries: deliveries, Preflight: preflight,
		Open: func(options datapath.Options) (datapath.Engine, error) { return open(options), nil },
	}
}

// preflight only checks that the process may listen.
func preflight(datapath.Options) error {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return fmt.Errorf("userspace: this process may not listen (%w); allow it sockets, and bring the loopback interface up", err)
	}
	return listener.Close()
}

// Engine proxies services.
type Engine struct {
	services map[datapath.Key]*service
	order    []*service         // sorted by key
	wanted   []datapath.Service // as last set, without those that failed
	limits   *limits
	weights  map[datapath.Key]map[string]uint32 // by Weigh
	tables   map[datapath.Key]*proxied.Table    // by PlaceBySession
}

var (
	_ datapath.Steerer = (*Engine)(nil)
	_ datapath.Weigher = (*Engine)(nil)
)

// Steering returns the connections that are placed one by one.
func (e *Engine) Steering() datapath.Steering { return e.limits.steering }

// limits bound what all services use together. Datagrams have room of their own, because
// their source can be spoofed: they must not keep connections out.
type limits struct {
	connections shares
	sessions    room
	hellos      hello.Waiting[*tcpFront] // clients that have not sent their hello yet
	helloTime   time.Duration            // that they have for it
	crowd       crowd                    // fronts that take sessions
	steering    *steering
	dial        func(ctx context.Context, network, address string) (net.Conn, error)
}

// room bounds how many there are at once.
type room struct {
	most int64
	open atomic.Int64
}

// reason is why a connection or a datagram was dropped.
type reason int

const (
	noBackend reason = iota
	tableFull
	backendUnreachable
	noHello
	unknownServerName
	reasons
)

var reasonNames = [reasons]string{"no_backend", "table_full", "backend_unreachable", "no_hello", "unknown_server_name"}

func open(options datapath.Options) *Engine {
	most := int64(options.Connections)
	if most == 0 {
		most = min(connectionsDefault, descriptors()/4)
	}
	e := &Engine{services: map[datapath.Key]*service{}, limits: &limits{}, weights: map[datapath.Key]map[string]uint32{}}
	e.limits.steering = newSteering()
	e.limits.connections.most, e.limits.sessions.most = most, most
	e.limits.hellos.Most = int(max(1, most/hellosPart))
	e.limits.helloTime = hello.Timeout
	if e.limits.dial = options.Dial; options.Dial == nil {
		e.limits.dial = new(net.Dialer).DialContext
	}
	return e
}

// admit takes a place, which the caller must return.
func (r *room) admit() bool {
	if r.open.Add(1) <= r.most {
		return true
	}
	r.open.Add(-1)
	return false
}

func (r *room) leave() { r.open.Add(-1) }

// Set opens all listeners before it changes anything. A service without one is left out.
func (e *Engine) Set(_ context.Context, wanted []datapath.Service) (outcome datapath.Outcome, err error) {
	good, failures := datapath.Sift(wanted, e.wanted, deliveries, func(*datapath.Service) error { return nil })
	services, lost, err := reach.Mark(good)
	if err != nil {
		return outcome, err
	}
	opened, closed := e.listen(services)
	isClosed := func(s datapath.Service) bool {
		return slices.ContainsFunc(closed, func(f datapath.Failure) bool { return f.Service == s.Key })
	}
	services = slices.DeleteFunc(services, isClosed)
	owned, err := own(services)
	if err != nil {
		closeAll(opened)
		return outcome, err
	}
	closed = append(closed, withoutAddress(services, opened, owned)...)
	services, good = slices.DeleteFunc(services, isClosed), slices.DeleteFunc(good, isClosed)
	lost = slices.DeleteFunc(lost, func(f datapath.Failure) bool { return isClosed(datapath.Service{Key: f.Service}) })
	outcome.Changes = e.become(services, opened)
	e.wanted = good
	outcome.Failures = slices.Concat(failures, closed, datapath.OfRoutes(lost))
	moved, err := owned.giveUp(services)
	outcome.Changes += moved
	return outcome, err
}

// listen opens the new listeners, and returns the services that have none. Only then their
// addresses are added to this host: an address that is added and deleted again is a change
// of routes, and such a change causes the next Set.
func (e *Engine) listen(services []datapath.Service) (opened map[datapath.Key]*service, closed []datapath.Failure) {
	opened = map[datapath.Key]*service{}
	for _, wanted := range services {
		if e.services[wanted.Key] != nil {
			continue
		}
		s, err := listen(wanted.Key, e.limits)
		if err != nil {
			closed = append(closed, datapath.Failure{Service: wanted.Key, Reason: err.Error(), OfEngine: true})
			continue
		}
		opened[wanted.Key] = s
	}
	return opened, closed
}

// withoutAddress closes the new listeners whose address could not be added, and returns
// their services.
func withoutAddress(services []datapath.Service, opened map[datapath.Key]*service, owned owned) (closed []datapath.Failure) {
	for _, wanted := range services {
		s, err := opened[wanted.Key], owned.failed[wanted.Key.Address]
		if s == nil || err == nil {
			continue
		}
		closed = append(closed, datapath.Failure{Service: wanted.Key, Reason: err.Error(), OfEngine: true, OfRoutes: true})
		s.close()
		delete(opened, wanted.Key)
	}
	return closed
}

func closeAll(opened map[datapath.Key]*service) {
	for _, s := range opened {
		s.close()
	}
}

// become applies the services and can't fail.
func (e *Engine) become(services []datapath.Service, opened map[datapath.Key]*service) (changes int) {
	next, order := make(map[datapath.Key]*service, len(services)), make([]*service, 0, len(services))
	for _, wanted := range services {
		s := e.services[wanted.Key]
		if s == nil {
			s = opened[wanted.Key]
			changes++
		}
		if wanted.Chooser != datapath.Private {
			delete(e.weights, wanted.Key)
		}
		s.table.Store(e.tables[wanted.Key])
		if s.carry(wanted, e.weights[wanted.Key]) {
			changes++
		}
		if opened[wanted.Key] == s {
			s.start()
		}
		next[wanted.Key] = s
		order = append(order, s)
	}
	for key, s := range e.services {
		if next[key] == nil {
			s.close()
			delete(e.weights, key)
			changes++
		}
	}
	e.services, e.order = next, order
	e.limits.steering.services.Store(&next)
	return changes
}

// Weigh implements datapath.Weigher.
func (e *Engine) Weigh(key datapath.Key, weights map[string]uint32) error {
	s := e.services[key]
	if s == nil || s.view.Load().wanted.Chooser != datapath.Private {
		return fmt.Errorf("weigh backends of service %s: it is not set, or has no private chooser", key)
	}
	e.weights[key] = weights
	s.weigh(weights)
	return nil
}

// Observe returns the counts.
func (e *Engine) Observe(context.Context) (datapath.Observed, error) {
	observed := datapath.Observed{LiveAt: time.Now(), Drops: map[string]uint64{}} // each drop belongs to a service
	if all := &e.limits.connections; all.open.Load() >= all.most {
		observed.Warnings = append(observed.Warnings, fmt.Sprintf("All %d connections that this process may have are open and new clients are rejected; give it more descriptors, or choose an engine of the kernel.", all.most))
	}
	for _, s := range e.order {
		if f, is := s.front.(*tcpFront); is && e.limits.connections.open.Load() < e.limits.connections.most && e.limits.connections.full(f) {
			observed.Warnings = append(observed.Warnings, fmt.Sprintf("Service %s has all connections that one service may have, and its new clients are rejected: the rest of %d is kept for other services. Give the agent a larger --connections and more descriptors, or choose an engine of the kernel.", s.key, e.limits.connections.most))
		}
		observed.Services = append(observed.Services, s.observe())
	}
	return observed, nil
}

// Remove closes everything and deletes the added addresses.
func (e *Engine) Remove() error {
	err := e.Close()
	owned, ownErr := own(nil)
	if ownErr != nil {
		return errors.Join(err, ownErr)
	}
	_, giveErr := owned.giveUp(nil)
	return errors.Join(err, giveErr)
}

// Close ends all connections: they belong to this process.
func (e *Engine) Close() error {
	for _, key := range slices.Collect(maps.Keys(e.services)) {
		e.services[key].close()
	}
	e.services, e.order, e.wanted = map[datapath.Key]*service{}, nil, nil
	return nil
}
