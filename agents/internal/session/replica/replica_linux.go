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
	"fairlead.dev/agents/internal/session/message"
)

// Replica places connections by session for one engine.
type Replica struct {
	joint        bpf.Joint
	collection   *ebpf.Collection
	sockets      []*net.UDPConn
	counts       counted
	services     atomic.Pointer[[]Service]
	searches     searches
	lacked       lacked
	ids          learnt
	stored       stored
	arrived      chan message.Message // with session ids
	changed      chan struct{}        // backends may be gone
	partsMutex   sync.Mutex
	parts        *joiner
	idSearches   idSearches
	acknowledged acknowledged
	events       []*program.Events
	done         chan struct{}
	ended        sync.WaitGroup
}

// Open adds the program to an engine. Until the engine's first Set, that of a former process places
// connections. Companions are reached from these addresses, one of each family at most, in the
// current namespace.
func Open(engine *bpf.Engine, listen ...netip.AddrPort) (_ *Replica, err error) {
	r := &Replica{joint: engine.Joint(), parts: newJoiner(), idSearches: newIDSearches(), done: make(chan struct{})}
	r.arrived, r.changed = make(chan message.Message, arrivedMost), make(chan struct{}, 1)
	r.services.Store(&[]Service{})
	r.lacked.since = map[program.FlowKey]lacking{}
	r.acknowledged.byFlow = map[program.FlowKey]*keptHello{}
	r.searches.byFlow, r.ids.of = map[program.FlowKey]*search{}, map[ofBackend]*progress{}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	for _, address := range listen {
		socket, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(address))
		if err != nil {
			return nil, fmt.Errorf("listen to companions (UDP port %d must be free: of balancers on one interface, only one can have it, so run the others in network namespaces of their own): %w", address.Port(), err)
		}
		r.sockets = append(r.sockets, socket)
		enlarge(socket)
		message.RoomToSend(socket)
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
	r.searchIDsUntil(time.Now().Add(searchingSpan))
	r.ended.Go(func() { r.followParts(parts) })
	r.ended.Go(func() { r.followQuestions(questions) })
	for _, socket := range r.sockets {
		r.ended.Go(func() { r.receive(socket) })
	}
	r.ended.Go(r.repeat)
	r.ended.Go(r.learnAll)
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
	if ids := formerIDs(r.joint.Maps[program.TcxMapNextPrograms], spec.Maps[program.SessionMapSessionIds]); ids != nil {
		defer ids.Close() // the collection has its own
		shared[program.SessionMapSessionIds] = ids
	}
	if r.collection, err = ebpf.NewCollectionWithOptions(spec, ebpf.CollectionOptions{MapReplacements: shared}); err != nil {
		return fmt.Errorf("load the program that chooses by session: %w", err)
	}
	r.stored.table, r.stored.lives, r.stored.done = r.collection.Maps[program.SessionMapSessionIds], r.liveIDs, r.done
	programs := r.joint.Maps[program.TcxMapNextPrograms]
	if err := programs.Put(uint32(program.TcxNextProgramENGINE_SENDS), r.joint.Program); err != nil {
		return fmt.Errorf("continue in the engine's program: %w", err)
	}
	return nil
}

func (r *Replica) install() error {
	programs := r.joint.Maps[program.TcxMapNextPrograms]
	if err := programs.Put(uint32(program.TcxNextProgramSESSION_CHOOSES), r.program()); err != nil {
		return fmt.Errorf("continue in the program that chooses by session: %w", err)
	}
	return nil
}

func (r *Replica) program() *ebpf.Program {
	return r.collection.Programs[program.SessionProgPlaceBySession]
}

// send sends a datagram to a companion. A lost one is repeated.
func (r *Replica) send(datagram []byte, to netip.AddrPort) {
	if socket := r.socketFor(to); socket != nil {
		_, _ = socket.WriteToUDPAddrPort(datagram, to)
	}
}

// socketFor returns the socket of an address's family; nil without one, or without an address.
func (r *Replica) socketFor(to netip.AddrPort) *net.UDPConn {
	for _, socket := range r.sockets {
		own, ok := socket.LocalAddr().(*net.UDPAddr)
		if ok && to.IsValid() && own.AddrPort().Addr().Unmap().Is4() == to.Addr().Unmap().Is4() {
			return socket
		}
	}
	return nil
}

func (r *Replica) openEvents(name string) (*program.Events, error) {
	events, err := program.OpenEvents(r.collection.Maps[name])
	if err == nil {
		r.events = append(r.events, events)
	}
	return events, err
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
	for _, socket := range r.sockets {
		errs = append(errs, socket.Close())
	}
	r.ended.Wait()
	if r.collection != nil {
		r.searchIDsUntil(time.Time{}) // after the last repetition
		r.collection.Close()
	}
	return errors.Join(errs...)
}
