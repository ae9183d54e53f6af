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
	"github.com/cilium/ebpf/rlimit"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/agreement"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/attach"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/hold"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pathmtu"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/steering"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/walk"
)

// Engine carries packets with a hook's program. Its state is pinned, so it keeps working
// when the process ends, and the next process takes it over.
type Engine struct {
	hook       Hook
	folder     string // of this replica
	network    *neighbour.Network
	sizes      *pathmtu.Sizes
	program    *ebpf.Program
	pinned     *pins.Maps
	maps       map[string]*ebpf.Map // of pinned
	attachment attach.Attachment
	vacant     state.Vacant

	// The owner's calls and neighbour updates both write backends.
	mutex     sync.Mutex
	model     *state.Model
	carried   []datapath.Service          // as last set, before paths are known
	solicited map[neighbour.Hop]time.Time // solicited link addresses, and when
	published state.Published
	walker    *walk.Walker
	exchange  *agreement.Exchange
	first     *hold.Packets
	steering  *steering.Table
	weights   map[datapath.Key]map[string]uint32 // by Weigh
	weighed   map[uint16]program.BackendWeight   // the same by slot, as the kernel has them

	updated chan struct{}              // signals a neighbour update
	crowded atomic.Pointer[netip.Addr] // the neighbour that didn't fit into the kernel's table, at the last Set
	events  []*program.Events

	// Sockets for routers' packet-too-big messages, or the error that prevents it.
	listeners []pathmtu.Listener
	deaf      error

	done  chan struct{}
	ended sync.WaitGroup
}

var (
	_ datapath.Engine  = (*Engine)(nil)
	_ datapath.Holder  = (*Engine)(nil)
	_ datapath.Steerer = (*Engine)(nil)
)

// Open creates the maps, or opens those of a former process. It handles packets from the
// first Set on.
func Open(hook Hook, options datapath.Options) (_ *Engine, err error) {
	if options.Name == "" || filepath.Base(options.Name) != options.Name {
		return nil, fmt.Errorf("name %q can't be a folder name: give the replica a simple one", options.Name)
	}
	e := &Engine{hook: hook, folder: pins.Folder(hook.Name, options), sizes: pathmtu.New(), updated: make(chan struct{}, 1), done: make(chan struct{}), solicited: map[neighbour.Hop]time.Time{}, weights: map[datapath.Key]map[string]uint32{}}
	e.have(state.NewModel())
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if e.network, err = neighbour.Open(options.Interface); err != nil {
		return nil, err
	}
	e.attachment = hook.Point.Open(e.network, e.folder, options.Name)
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	if err := pins.MakeFolder(e.folder); err != nil {
		return nil, err
	}
	specs, err := mapsOf(hook, options.Connections)
	if err != nil {
		return nil, err
	}
	if e.pinned, err = pins.Open(e.folder, specs, e.mapsInUse); err != nil {
		return nil, err
	}
	e.maps = e.pinned.ByName
	if e.program, err = loadProgram(hook, e.maps); err != nil && hook.Sessions {
		e.hook.Sessions = false
		e.program, err = loadAlone(hook, e.maps, err)
	}
	if err != nil {
		return nil, err
	}
	recalled, err := state.Recall(e.maps)
	if err != nil {
		return nil, err
	}
	e.have(recalled)
	if e.weighed, err = recallWeights(e.maps); err != nil {
		return nil, err
	}
	e.exchange = agreement.New(e.maps, &e.published)
	e.walker = walk.New(e.maps, &e.published, e.exchange)
	e.first = hold.New(e.maps, e.program, hook.Sent, e.network, &e.published)
	e.steering = steering.New(e.maps, e.program, hook.Sent, e.network, &e.published)
	return e, e.start()
}

// mapsOf returns the layout, for this many connections.
func mapsOf(hook Hook, connections int) (map[string]*ebpf.MapSpec, error) {
	spec, err := program.LoadTcx()
	if err != nil {
		return nil, err
	}
	delete(spec.Maps, ".bss") // only for type names
	if connections > 0 {
		spec.Maps[program.TcxMapConnections].MaxEntries = uint32(connections)
		spec.Maps[program.TcxMapNatFlows].MaxEntries = uint32(connections)
		// Peers with as many connections may send as many flows.
		spec.Maps[program.TcxMapLearnt].MaxEntries = max(spec.Maps[program.TcxMapLearnt].MaxEntries, uint32(connections))
	}
	if _, translates := deliveriesOf(hook)[datapath.NAT]; !translates {
		spec.Maps[program.TcxMapNatFlows].MaxEntries, spec.Maps[program.TcxMapNatHalfOpen].MaxEntries = 1, 1
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
	return loadSpec(hook, spec, maps)
}

func loadSpec(hook Hook, spec *ebpf.CollectionSpec, maps map[string]*ebpf.Map) (*ebpf.Program, error) {
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
	updates, err := e.network.Follow(e.done)
	if err != nil {
		return err
	}
	e.ended.Go(func() { e.followNeighbours(updates) })
	misplaced, err := e.openEvents(program.TcxMapMisplaced)
	if err != nil {
		return err
	}
	e.ended.Go(func() { e.exchange.Follow(misplaced) })
	held, err := e.openEvents(program.TcxMapHeld)
	if err != nil {
		return err
	}
	e.ended.Go(func() { e.first.Follow(held, e.done) })
	kept, err := e.openEvents(program.TcxMapKept)
	if err != nil {
		return err
	}
	e.ended.Go(func() { e.steering.Follow(kept) })
	e.ended.Go(func() { e.exchange.Run(e.done) })
	if e.roomOfFlows() > quickRoomMost {
		e.walker.NeverAwait()
	}
	e.ended.Go(func() { e.walker.Run(e.done) })
	e.walker.Request(false) // a large table should be counted before the first report
	e.deaf = e.listen()
	return nil
}

// openEvents opens a ring buffer, which Close closes.
func (e *Engine) openEvents(name string) (*program.Events, error) {
	opened, err := program.OpenEvents(e.maps[name])
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
	defer e.walker.GiveWay()()
	if err := e.network.Read(); err != nil {
		return outcome, err
	}
	if err := e.network.PortsFor(services); err != nil {
		return outcome, err
	}
	good, failures := datapath.Sift(services, e.carried, e.hook.Deliveries, func(s *datapath.Service) error {
		return cmp.Or(checkChoice(s, e.hook), e.network.CheckPorts(s))
	})
	before := e.model
	next, err := state.Plan(before, good, e.wayTo)
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
	attached, err := e.attach(len(before.Services) > 0)
	outcome.Changes += attached
	outcome.Failures = append(failures, next.Failures...)
	return outcome, err
}

// attach makes sure that packets pass the program. If they should have before, it counts
// as a change, because the program was detached manually.
func (e *Engine) attach(before bool) (changes int, err error) {
	changes, err = e.attachment.Put(e.program)
	if err == nil {
		err = e.pinned.RemoveOthers()
	}
	if !before {
		changes = 0
	}
	return changes, err
}
