package sockets

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/attach"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
)

// Options are where an engine works.
type Options struct {
	// Cgroup contains the processes whose connections are distributed; empty: all of this host.
	Cgroup string

	// PinFolder, on a BPF file system, is the folder of the role, and the same for package signals.
	PinFolder string

	Node string // the name of this node in Backend
}

// Engine distributes the connections that start at this node. Its methods may be called from any goroutine.
type Engine struct {
	options     Options
	folder      string // of the programs and their maps
	layout      string // of the maps
	maps        map[string]*ebpf.Map
	costs       memory[costEntry]
	placeUses   memory[use]
	entryUses   memory[program.EntryUse]
	programs    map[string]*ebpf.Program
	attachments []attach.Attachment // in the order of hooks
	lister      *link.Iter

	mutex            sync.Mutex
	services         []Service // as last set
	state            *state
	places, backends slots
	names            map[uint16]map[string]uint32 // the slots of places by service and node
	nodes            map[uint64]string            // names by their hash
	counted          []counted                    // by EachCount
	isSet            bool                         // since this process started
	entered          entered                      // until now
}

// Open loads the programs, with the maps of a former process. They work from the first Set on; until
// then those of a former process do.
func Open(options Options) (_ *Engine, err error) {
	if options.Node == "" {
		return nil, errors.New("the sockets' engine has no node: name this one")
	}
	if options.Cgroup, err = CgroupOf(options.Cgroup); err != nil {
		return nil, err
	}
	e := &Engine{options: options, folder: filepath.Join(options.PinFolder, program.SocketsFolder), state: newState()}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if err := e.load(); err != nil {
		return nil, err
	}
	if e.attachments, err = attachmentsIn(options.Cgroup, e.folder); err != nil {
		return nil, err
	}
	return e, e.recall()
}

// Set makes connections to exactly these services go to their backends. A service that can't be set is a
// failure, and everything else is set. Existing connections continue.
func (e *Engine) Set(services []Service) (outcome datapath.Outcome, err error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	good, failures := sift(services, e.services)
	if outcome.Changes, outcome.Failures, err = e.write(good, failures); err != nil {
		return outcome, fmt.Errorf("set the services of sockets: %w", err)
	}
	e.services = good
	attached, err := e.attach()
	if e.isSet {
		outcome.Changes += attached
	}
	e.isSet = err == nil
	return outcome, err
}

// attach attaches the programs, and returns how many weren't.
func (e *Engine) attach() (changes int, err error) {
	for i, hook := range hooks {
		changed, err := e.attachments[i].Put(e.programs[hook.program])
		if err != nil {
			return changes, refusedBy(e.options.Cgroup, hook, err)
		}
		changes += changed
	}
	return changes, pins.RemoveOtherGenerations(e.folder, e.layout)
}

// Close releases the engine. The programs continue, and the next process with the same folder takes over.
func (e *Engine) Close() error {
	var errs []error
	for _, attachment := range e.attachments {
		errs = append(errs, attachment.Close())
	}
	if e.lister != nil {
		errs = append(errs, e.lister.Close())
	}
	for _, each := range e.programs {
		errs = append(errs, each.Close())
	}
	pins.CloseMaps(e.maps)
	return errors.Join(errs...)
}

// Remove removes the programs and all their state. Existing connections continue, but show the address of
// their backend.
func (e *Engine) Remove() error {
	var errs []error
	for _, attachment := range e.attachments {
		errs = append(errs, attachment.Remove())
	}
	return errors.Join(append(errs, program.Remove(e.folder), e.Close())...)
}
