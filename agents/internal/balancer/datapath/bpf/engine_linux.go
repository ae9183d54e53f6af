package bpf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Engine carries packets with a hook's program. Its state is pinned, so it keeps working
// when the process ends, and the next process takes it over.
type Engine struct {
	hook    Hook
	folder  string // of this replica
	network *network
	sizes   *sizes
	program *ebpf.Program
	pinned  *pinned
	maps    map[string]*ebpf.Map // of pinned
	link    link.Link            // nil where the program is a filter
	filters *filters             // nil where the hook has none
	vacant  vacant

	// The owner's calls and neighbour updates both write backends.
	mutex     sync.Mutex
	model     *model
	carried   []datapath.Service // as last set, before paths are known
	solicited map[hop]time.Time  // solicited link addresses, and when
	published published
	walker    *walker
	exchange  *Exchange
	first     *first

	updated chan struct{}              // signals a neighbour update
	crowded atomic.Pointer[netip.Addr] // the neighbour that didn't fit into the kernel's table, at the last Set
	events  []*events

	// Sockets for routers' packet-too-big messages, or the error that prevents it.
	listeners []listener
	deaf      error

	done  chan struct{}
	ended sync.WaitGroup
}

var (
	_ datapath.Engine = (*Engine)(nil)
	_ datapath.Holder = (*Engine)(nil)
)

// Open creates the maps, or opens those of a former process. It handles packets from the
// first Set on.
func Open(hook Hook, options datapath.Options) (_ *Engine, err error) {
	if options.Name == "" || filepath.Base(options.Name) != options.Name {
		return nil, fmt.Errorf("name %q can't be a folder name: give the replica a simple one", options.Name)
	}
	e := &Engine{hook: hook, folder: folderOf(hook.Name, options), sizes: newSizes(), updated: make(chan struct{}, 1), done: make(chan struct{}), solicited: map[hop]time.Time{}}
	e.have(newModel())
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if e.network, err = openNetwork(options.Interface); err != nil {
		return nil, err
	}
	e.filters = filtersOf(hook, e.network, options.Name)
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	if err := makeFolder(e.folder); err != nil {
		return nil, err
	}
	specs, err := mapsOf(hook, options.Connections)
	if err != nil {
		return nil, err
	}
	if e.pinned, err = openPinned(e.folder, specs, e.mapsInUse); err != nil {
		return nil, err
	}
	e.maps = e.pinned.maps
	if e.program, err = loadProgram(hook, e.maps); err != nil {
		return nil, err
	}
	recalled, err := recall(e.maps)
	if err != nil {
		return nil, err
	}
	e.have(recalled)
	e.exchange = newExchange(e.maps, &e.published)
	e.walker = newWalker(e.maps, &e.published, e.exchange)
	e.first = newFirst(e.maps, e.program, hook.Sent, e.network, &e.published)
	return e, e.start()
}

// mapsOf returns the layout, for this many connections.
func mapsOf(hook Hook, connections int) (map[string]*ebpf.MapSpec, error) {
	spec, err := LoadTcx()
	if err != nil {
		return nil, err
	}
	delete(spec.Maps, ".bss") // only for type names
	if connections > 0 {
		spec.Maps[TcxMapConnections].MaxEntries = uint32(connections)
		spec.Maps[TcxMapNatFlows].MaxEntries = uint32(connections)
		// Peers with as many connections may send as many flows.
		spec.Maps[TcxMapLearnt].MaxEntries = max(spec.Maps[TcxMapLearnt].MaxEntries, uint32(connections))
	}
	if _, translates := deliveriesOf(hook)[datapath.NAT]; !translates {
		spec.Maps[TcxMapNatFlows].MaxEntries, spec.Maps[TcxMapNatHalfOpen].MaxEntries = 1, 1
	}
	return spec.Maps, nil
}

func deliveriesOf(hook Hook) map[datapath.Delivery]bool {
	out := map[datapath.Delivery]bool{}
	for _, delivery := range hook.Deliveries {
		out[delivery] = true
	}
	return out
}

func loadProgram(hook Hook, maps map[string]*ebpf.Map) (*ebpf.Program, error) {
	spec, err := hook.Load()
	if err != nil {
		return nil, err
	}
	allowUnaligned(spec.Programs[hook.Program])
	one := &ebpf.CollectionSpec{
		Maps: spec.Maps, Types: spec.Types, ByteOrder: spec.ByteOrder, Variables: nil,
		Programs: map[string]*ebpf.ProgramSpec{hook.Program: spec.Programs[hook.Program]},
	}
	delete(one.Maps, ".bss")
	shared := map[string]*ebpf.Map{}
	for name := range one.Maps {
		shared[name] = maps[name]
		one.Maps[name].MaxEntries = maps[name].MaxEntries()
	}
	collection, err := ebpf.NewCollectionWithOptions(one, ebpf.CollectionOptions{MapReplacements: shared})
	if err != nil {
		return nil, fmt.Errorf("load the %s program: %w", hook.Name, err)
	}
	defer collection.Close()
	return collection.DetachProgram(hook.Program), nil
}

// allowUnaligned lets a program read a packet's headers wherever they begin, as our
// processors can. Some kernels don't expect it of theirs, such as user-mode Linux.
func allowUnaligned(program *ebpf.ProgramSpec) { program.Flags |= unix.BPF_F_ANY_ALIGNMENT }

func (e *Engine) start() error {
	updates, err := e.network.follow(e.done)
	if err != nil {
		return err
	}
	e.ended.Go(func() { e.followNeighbours(updates) })
	misplaced, err := e.openEvents(TcxMapMisplaced)
	if err != nil {
		return err
	}
	e.ended.Go(func() { e.exchange.follow(misplaced) })
	held, err := e.openEvents(TcxMapHeld)
	if err != nil {
		return err
	}
	e.ended.Go(func() { e.first.follow(held, e.done) })
	e.ended.Go(func() { e.exchange.run(e.done) })
	if e.roomOfFlows() > quickRoomMost {
		e.walker.neverAwait()
	}
	e.ended.Go(func() { e.walker.run(e.done) })
	e.walker.request(false) // a large table should be counted before the first report
	e.deaf = e.listen()
	return nil
}

// openEvents opens a ring buffer, which Close closes.
func (e *Engine) openEvents(name string) (*events, error) {
	opened, err := openEvents(e.maps[name])
	if err == nil {
		e.events = append(e.events, opened)
	}
	return opened, err
}

// Set makes the kernel carry exactly these services.
func (e *Engine) Set(ctx context.Context, services []datapath.Service) (datapath.Outcome, error) {
	if err := check(services, e.hook); err != nil {
		return datapath.Outcome{}, err
	}
	outcome, err := e.set(ctx, services)
	if err != nil {
		return outcome, err
	}
	return outcome, e.solicit(ctx)
}

func (e *Engine) set(ctx context.Context, services []datapath.Service) (outcome datapath.Outcome, err error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if err := e.network.read(); err != nil {
		return outcome, err
	}
	if err := e.network.portsFor(services); err != nil {
		return outcome, err
	}
	good, failures := datapath.Sift(services, e.carried, e.hook.Deliveries, func(s *datapath.Service) error {
		return cmp.Or(checkScheduler(s, e.hook), e.network.checkPorts(s))
	})
	before := e.model
	next, err := plan(before, good, e.wayTo)
	if err != nil {
		return outcome, err
	}
	if err := e.refresh(); err != nil {
		return outcome, err
	}
	if outcome.Changes, err = e.apply(ctx, next); err != nil {
		return outcome, err
	}
	e.carried = good
	attached, err := e.attach(len(before.services) > 0)
	outcome.Changes += attached
	outcome.Failures = append(failures, next.failures...)
	return outcome, err
}
