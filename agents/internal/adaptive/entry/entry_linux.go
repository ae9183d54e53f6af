package entry

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"sync"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
	engine "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Options are where an entry works.
type Options struct {
	PinFolder string // of this node's agent of the role adaptive
	Replica   string // a name that no other balancer of the node has
}

// number distinguishes the replica in the kernel.
func (o Options) number() uint32 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(o.Replica))
	return hash.Sum32()
}

// Entry places connections for one engine. Any goroutine may call its methods.
type Entry struct {
	options Options
	joint   bpf.Joint
	spec    *ebpf.CollectionSpec
	end     chan struct{} // closed to end the goroutine
	ended   chan struct{}

	mutex      sync.Mutex
	services   []datapath.Service   // as last set, nil before
	costs      map[string]*ebpf.Map // nil without costs
	collection *ebpf.Collection
	installed  bool
	problem    string // of the goroutine
	missing    string // which service has no costs
}

// Open adds an entry to an engine. It places connections from the first Set on; until then that of a former process does.
func Open(of *bpf.Engine, options Options) (*Entry, error) {
	spec, err := program.Spec(program.LoadEntry)
	if err != nil {
		return nil, err
	}
	e := &Entry{options: options, joint: of.Joint(), spec: spec, end: make(chan struct{}), ended: make(chan struct{})}
	go e.maintain()
	return e, nil
}

// Problem returns why connections are placed by weights, or why counts may be wrong; empty if all is well, or if no
// service chooses by cost.
func (e *Entry) Problem() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.problem == "" && !e.installed && hasTargets(e.services) {
		return "this node has no agent of the role adaptive, or one of another version"
	}
	if e.problem == "" && e.installed {
		return e.missing
	}
	return e.problem
}

// follow makes the program use the costs that exist now, and reports whether there are any. Those of a former layout, or of
// an agent that was removed since, are others.
func (e *Entry) follow() (has bool, err error) {
	costs, err := program.OpenCosts(e.options.PinFolder, e.spec)
	if errors.Is(err, os.ErrNotExist) {
		e.unload()
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if e.costs != nil && idOf(e.costs[program.EntryMapCosts]) == idOf(costs[program.EntryMapCosts]) {
		pins.CloseMaps(costs)
		return true, nil
	}
	e.unload()
	e.costs = costs
	if err := e.load(); err != nil {
		e.unload()
		return false, fmt.Errorf("load the program that chooses by cost: %w", err)
	}
	return true, nil
}

func idOf(m *ebpf.Map) ebpf.MapID {
	info, err := m.Info()
	if err != nil {
		return 0
	}
	id, _ := info.ID()
	return id
}

func (e *Entry) load() (err error) {
	if e.collection, err = ebpf.NewCollectionWithOptions(e.spec.Copy(), ebpf.CollectionOptions{MapReplacements: e.shared()}); err != nil {
		return err
	}
	return e.collection.Maps[program.EntryMapEntrySetting].Put(uint32(0), program.EntryEntrySettings{Replica: e.options.number()})
}

// shared returns the maps of the program that others created. Some of the engine's have the names of costs.
func (e *Entry) shared() map[string]*ebpf.Map {
	shared := maps.Clone(e.costs)
	for _, name := range []string{engine.TcxMapNextPrograms, engine.TcxMapSteeredFlows, engine.TcxMapFollowed} {
		shared[name] = e.joint.Maps[name]
	}
	return shared
}

// install makes the engine's program go on to the one that chooses, and that one come back.
func (e *Entry) install() error {
	next := e.joint.Maps[engine.TcxMapNextPrograms]
	for _, at := range []struct {
		index engine.TcxNextProgram
		to    *ebpf.Program
	}{
		{engine.TcxNextProgramENGINE_SENDS, e.joint.Program},
		{engine.TcxNextProgramCOST_FOLLOWS, e.collection.Programs[program.EntryProgFollowConnection]},
		{engine.TcxNextProgramCOST_CHOOSES, e.collection.Programs[program.EntryProgChooseByCost]},
	} {
		if err := next.Put(uint32(at.index), at.to); err != nil {
			return fmt.Errorf("continue in the program that chooses by cost: %w", err)
		}
	}
	e.installed = true
	return nil
}

// uninstall makes the engine draw backends by weights. Also what a former process has installed is removed.
func (e *Entry) uninstall() error {
	e.installed = false
	next := e.joint.Maps[engine.TcxMapNextPrograms]
	for _, index := range []engine.TcxNextProgram{engine.TcxNextProgramCOST_CHOOSES, engine.TcxNextProgramCOST_FOLLOWS} {
		if err := next.Delete(uint32(index)); err != nil && !isAbsent(err) {
			return fmt.Errorf("stop choosing by cost: %w", err)
		}
	}
	return nil
}

func isAbsent(err error) bool { return errors.Is(err, ebpf.ErrKeyNotExist) }

func (e *Entry) unload() {
	if e.collection != nil {
		e.collection.Close()
	}
	pins.CloseMaps(e.costs)
	e.collection, e.costs = nil, nil
}

// Remove stops choosing by cost, and ends what counts as open at this replica. It is for before the engine is removed.
func (e *Entry) Remove() error {
	e.stop()
	e.mutex.Lock()
	defer e.mutex.Unlock()
	err := e.uninstall()
	e.unload()
	return errors.Join(err, Clear(e.options))
}

// Close ends the agent's part. The kernel continues to place connections by costs.
func (e *Entry) Close() {
	e.stop()
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.unload()
}

func (e *Entry) stop() {
	select {
	case <-e.end:
	default:
		close(e.end)
	}
	<-e.ended
}
