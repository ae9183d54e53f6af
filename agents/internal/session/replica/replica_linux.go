package replica

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Replica places connections by session for one engine.
type Replica struct {
	joint      bpf.Joint
	collection *ebpf.Collection
	socket     *net.UDPConn
	services   atomic.Pointer[[]Service]
	searches   searches
	lacked     lacked
	ids        learnt
	parts      *joiner
	events     []*program.Events
	done       chan struct{}
	ended      sync.WaitGroup
}

// Open adds the program to an engine, before its first Set. Companions are reached from this
// address, in the current namespace.
func Open(engine *bpf.Engine, listen netip.AddrPort) (_ *Replica, err error) {
	r := &Replica{joint: engine.Joint(), parts: newJoiner(), done: make(chan struct{})}
	r.services.Store(&[]Service{})
	r.lacked.since = map[program.FlowKey]time.Time{}
	r.searches.byFlow, r.ids.last = map[program.FlowKey]*search{}, map[ofBackend]uint64{}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	if r.socket, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(listen)); err != nil {
		return nil, fmt.Errorf("listen to companions: %w", err)
	}
	if err := r.load(); err != nil {
		return nil, err
	}
	parts, err := r.openEvents(program.SessionMapSessionParts)
	if err != nil {
		return nil, err
	}
	questions, err := r.openEvents(program.SessionMapSessionQuestions)
	if err != nil {
		return nil, err
	}
	r.ended.Go(func() { r.followParts(parts) })
	r.ended.Go(func() { r.followQuestions(questions) })
	r.ended.Go(r.receive)
	r.ended.Go(r.repeat)
	return r, nil
}

// load loads the program. The engine's goes on there from the first Set on: until then that of
// a former process places connections.
func (r *Replica) load() error {
	spec, err := program.LoadSession()
	if err != nil {
		return err
	}
	delete(spec.Maps, ".bss")
	spec.Variables = nil
	shared := r.joint.Replace(spec)
	if r.collection, err = ebpf.NewCollectionWithOptions(spec, ebpf.CollectionOptions{MapReplacements: shared}); err != nil {
		return fmt.Errorf("load the program that chooses by session: %w", err)
	}
	programs := r.joint.Maps[program.TcxMapSessionPrograms]
	if err := programs.Put(uint32(program.TcxSessionProgramENGINE_SENDS), r.joint.Program); err != nil {
		return fmt.Errorf("continue in the engine's program: %w", err)
	}
	return nil
}

func (r *Replica) install() error {
	programs := r.joint.Maps[program.TcxMapSessionPrograms]
	if err := programs.Put(uint32(program.TcxSessionProgramSESSION_CHOOSES), r.program()); err != nil {
		return fmt.Errorf("continue in the program that chooses by session: %w", err)
	}
	return nil
}

func (r *Replica) program() *ebpf.Program {
	return r.collection.Programs[program.SessionProgPlaceBySession]
}

func (r *Replica) openEvents(name string) (*program.Events, error) {
	events, err := program.OpenEvents(r.collection.Maps[name])
	if err == nil {
		r.events = append(r.events, events)
	}
	return events, err
}

// Counts are what the program did since it was loaded.
type Counts struct {
	SYNs, BareACKs, ByKey, ByTicket, ByID, New, Parts, Hinted, Questions, OverLimit, Resets, Unanswered uint64
}

// Observe reads the counts.
func (r *Replica) Observe() (Counts, error) {
	var all [program.SessionSessionCountSESSION_COUNTS]uint64
	for i := range all {
		var each []uint64
		if err := r.collection.Maps[program.SessionMapSessionCounts].Lookup(uint32(i), &each); err != nil {
			return Counts{}, fmt.Errorf("read the counts of sessions: %w", err)
		}
		for _, one := range each {
			all[i] += one
		}
	}
	return Counts{all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8], all[9], all[10], all[11]}, nil
}

// Close ends the agent's part. The kernel continues to place connections.
func (r *Replica) Close() error {
	select {
	case <-r.done:
		return nil
	default:
		close(r.done)
	}
	var errs []error
	for _, each := range r.events {
		errs = append(errs, each.Close())
	}
	if r.socket != nil {
		errs = append(errs, r.socket.Close())
	}
	r.ended.Wait()
	if r.collection != nil {
		r.collection.Close()
	}
	return errors.Join(errs...)
}
