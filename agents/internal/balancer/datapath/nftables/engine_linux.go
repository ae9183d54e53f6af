package nftables

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"reflect"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/reach"
)

const defaultConnections = 1 << 16

var documentation = netip.AddrFrom4([4]byte{192, 0, 2, 1})

// Engine is the data path of one replica.
type Engine struct {
	options     datapath.Options
	socket      *socket
	directTable table
	natTable    table

	// The kernel's state as far as this process knows it, valid until another program
	// changes it. A new process knows nothing and starts a new epoch.
	known      bool
	epoch      string
	generation uint32 // of the kernel's rules, after the last change by this engine
	rules      uint64 // checksum of the rules
	device     uint32
	services   []datapath.Service // with backends down that can't be reached
	wanted     []datapath.Service // the same, as passed to Set
	tables     [2]*tableState
	planned    map[string]*servicePlan // by names.content

	carried []datapath.Service               // as of the last commit, even if a later step failed
	retired map[datapath.Key]datapath.Counts // counts of removed backends

	watch       *watch // for misplaced flows, once Misplaced was called
	watchSocket *socket
}

// tableState is one table as last set.
type tableState struct {
	table   table
	live    map[identity]bool // nil: the table doesn't exist
	entries map[string]map[string]string
	sums    map[string]uint64 // of maps that packets don't fill
}

// watch reports misplaced flows.
type watch struct {
	flows    chan datapath.Flow
	settling atomic.Pointer[settling]
	stop     chan struct{}
	ended    chan struct{}
}

func (w *watch) update(services []datapath.Service) {
	s := settlingOf(services)
	w.settling.Store(&s)
}

func newEngine(options datapath.Options, s *socket) *Engine {
	if options.Connections == 0 {
		options.Connections = defaultConnections
	}
	e := &Engine{options: options, socket: s, planned: map[string]*servicePlan{}, retired: map[datapath.Key]datapath.Counts{}}
	e.directTable = table{family: unix.NFPROTO_NETDEV, name: "fairlead_" + options.Name}
	e.natTable = table{family: unix.NFPROTO_INET, name: "fairlead_" + options.Name}
	e.newEpoch()
	return e
}

func open(options datapath.Options) (datapath.Engine, error) {
	s, err := openSocket()
	if err != nil {
		return nil, err
	}
	// Opened here, in the caller's network namespace: goroutines may run in another.
	watching, err := openSocket()
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	e := newEngine(options, s)
	e.watchSocket = watching
	return e, nil
}

// newEpoch changes every name, so that no existing state is relied on but flows and
// counters.
func (e *Engine) newEpoch() {
	bytes := make([]byte, 4)
	_, _ = rand.Read(bytes) // never fails
	e.epoch, e.known, e.services = hex.EncodeToString(bytes), false, nil
	clear(e.planned)
}

// Set implements datapath.Engine.
func (e *Engine) Set(_ context.Context, wanted []datapath.Service) (outcome datapath.Outcome, err error) {
	good, failures := datapath.Sift(wanted, e.wanted, deliveries, check)
	services, lost, err := reach.Mark(good)
	if err != nil {
		return outcome, err
	}
	if outcome.Changes, err = e.set(services); err != nil {
		return outcome, err
	}
	e.wanted = good
	outcome.Failures = append(failures, datapath.OfRoutes(lost)...)
	return outcome, nil
}

func (e *Engine) set(services []datapath.Service) (changes int, err error) {
	link, err := net.InterfaceByName(e.options.Interface)
	if err != nil {
		return 0, fmt.Errorf("find interface %s: %w", e.options.Interface, err)
	}
	damaged, err := e.verify(uint32(link.Index))
	if err != nil {
		return 0, err
	}
	changes = differences(e.services, services)
	if e.known && !damaged && changes == 0 {
		return 0, nil
	}
	if damaged || !e.known {
		e.newEpoch()
	}
	e.device = uint32(link.Index)
	made, err := e.apply(services)
	if err != nil {
		e.known = false // the next Set reads the state again, and cleans up
		return 0, fmt.Errorf("set %d services with nftables: %w", len(services), err)
	}
	e.services = services
	if e.watch != nil {
		e.watch.update(services)
	}
	if damaged || changes == 0 && made {
		changes = max(changes, 1)
	}
	return changes, nil
}

func check(service *datapath.Service) error {
	if service.Scheduler != "" {
		return fmt.Errorf("scheduler %q is for ipvs, nftables has its own; leave it empty", service.Scheduler)
	}
	if err := datapath.OnlyAgreed(service); err != nil {
		return err
	}
	if service.Delivery == datapath.NAT {
		return canForward(service.Key.Address.Is6())
	}
	return nil
}

// differences counts services that were added, removed or changed.
func differences(before, after []datapath.Service) (count int) {
	old := make(map[datapath.Key]*datapath.Service, len(before))
	for i := range before {
		old[before[i].Key] = &before[i]
	}
	for i := range after {
		if was, had := old[after[i].Key]; !had || !reflect.DeepEqual(was, &after[i]) {
			count++
		}
		delete(old, after[i].Key)
	}
	return count + len(old)
}

// Remove implements datapath.Engine.
func (e *Engine) Remove() error {
	e.newEpoch()
	if err := e.look(); err != nil {
		return err
	}
	if err := e.forgetFlows(nil); err != nil {
		return err
	}
	e.carried, e.wanted = nil, nil
	clear(e.retired)
	for _, t := range []table{e.directTable, e.natTable} {
		if err := e.socket.commit([]message{t.remove()}); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	return nil
}

// Close implements datapath.Engine: the tables stay and carry traffic.
func (e *Engine) Close() error {
	if e.watch != nil {
		close(e.watch.stop)
		<-e.watch.ended
	}
	return errors.Join(e.socket.close(), e.watchSocket.close())
}
