package nftables

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// misplacedMost is how many flows are queued for a reader.
const misplacedMost = 4096

// settling calculates where flows of services by Direct are settled.
type settling map[uint64]*settledService

type settledService struct {
	key   datapath.Key
	looks []look            // tables that a replica without the flow uses: the current one, and future ones
	names map[uint64]string // backends by number
}

// comingFirstMost bounds the number of intermediate tables per service; it isn't known
// here which backend started to fill first.
const comingFirstMost = 16

type look struct {
	table *maglev.Table
	among []maglev.Member
}

func settlingOf(services []datapath.Service) settling {
	s := settling{}
	for _, service := range services {
		if service.Delivery != datapath.Direct {
			continue
		}
		one := &settledService{key: service.Key, names: map[uint64]string{}}
		looks := append(datapath.Coming(service.Backends), datapath.Settled(service.Backends))
		looks = append(looks, datapath.ComingFirst(service.Backends, func(int) uint32 { return 0 }, comingFirstMost)...)
		for _, among := range looks {
			one.looks = append(one.looks, look{maglev.Build(among), among})
		}
		for _, backend := range service.Backends {
			one.names[number(backend.ID)] = backend.ID
		}
		s[serviceNumber(service.Key)] = one
	}
	return s
}

// misplaced decodes a flow from a map, and reports whether it is misplaced.
func (s settling) misplaced(f *family, one element) (flow datapath.Flow, is bool) {
	at := f.placeOf(one)
	service := s[at.service]
	if service == nil || service.names[at.backend] == "" {
		return flow, false
	}
	row := rowOf(one.key[:f.bytes+4], seed(service.key), maglev.Rows)
	if !slices.ContainsFunc(service.looks, func(l look) bool {
		to := l.table[row]
		return to == maglev.Empty || l.among[to].ID != service.names[at.backend]
	}) {
		return flow, false
	}
	client, _ := netip.AddrFromSlice(one.key[:f.bytes])
	return datapath.Flow{
		Service: service.key, Backend: service.names[at.backend],
		Client: netip.AddrPortFrom(client, binary.BigEndian.Uint16(one.key[f.bytes:])),
	}, true
}

// MisplacedNow implements datapath.FlowKeeper.
func (e *Engine) MisplacedNow(context.Context) ([]datapath.Flow, error) {
	return e.reader(e.socket).misplacedNow(settlingOf(e.carried))
}

// flowReader reads the maps of flows, through its own socket.
type flowReader struct {
	table   table
	maps    map[*family]string
	counter string
	socket  *socket
}

func (e *Engine) reader(s *socket) *flowReader {
	r := &flowReader{table: e.directTable, maps: map[*family]string{}, counter: misplacedCounter, socket: s}
	for _, f := range families {
		r.maps[f] = e.flowMaps(f).known
	}
	return r
}

func (r *flowReader) misplacedNow(s settling) (flows []datapath.Flow, err error) {
	for f, name := range r.maps {
		err := r.socket.elements(r.table, name, func(one element) {
			if flow, is := s.misplaced(f, one); is {
				flows = append(flows, flow)
			}
		})
		if err != nil && !errors.Is(err, unix.ENOENT) {
			return nil, fmt.Errorf("read flows: %w", err)
		}
	}
	return flows, nil
}

// misplacedCounter counts packets that add a misplaced flow to a map; the maps are read
// only when it rises.
const misplacedCounter = "misplaced"

// Misplaced implements datapath.FlowKeeper. The kernel can't report a flow, so a counter
// is polled ten times a second.
func (e *Engine) Misplaced() <-chan datapath.Flow {
	if e.watch == nil {
		e.watch = &watch{flows: make(chan datapath.Flow, misplacedMost), stop: make(chan struct{}), ended: make(chan struct{})}
		e.watch.settling.Store(new(settling))
		e.watch.update(e.carried)
		go e.watch.run(e.reader(e.watchSocket))
	}
	return e.watch.flows
}

// run ends with the engine.
func (w *watch) run(r *flowReader) {
	defer close(w.ended)
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	reported, seen, before := map[datapath.Flow]bool{}, uint64(0), w.settling.Load()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
		}
		now := w.settling.Load()
		counted, err := r.socket.counter(r.table, r.counter)
		if err != nil || counted == seen && now == before {
			continue // retry at the next poll
		}
		flows, err := r.misplacedNow(*now)
		if err != nil {
			continue
		}
		alive := make(map[datapath.Flow]bool, len(flows))
		for _, flow := range flows {
			alive[flow] = true
			if !reported[flow] {
				w.offer(flow)
			}
		}
		reported, seen, before = alive, counted, now
	}
}

// offer drops the oldest flow if the queue is full.
func (w *watch) offer(flow datapath.Flow) {
	for {
		select {
		case w.flows <- flow:
			return
		default:
		}
		select {
		case <-w.flows:
		default:
		}
	}
}

// Learn implements datapath.FlowKeeper. Existing flows stay. Flows refer to backends by
// ID, so unknown backends are accepted.
func (e *Engine) Learn(flows []datapath.Flow) (_ []datapath.Flow, err error) {
	for _, f := range families {
		name := e.flowMaps(f).known
		for range 10 { // retry if a packet added the flow first
			if err = e.learnIn(f, name, flows); !errors.Is(err, unix.EEXIST) {
				break
			}
		}
		if err != nil {
			return nil, fmt.Errorf("learn flows of IPv%s: %w", f.name, err)
		}
	}
	return nil, nil
}

func (e *Engine) learnIn(f *family, name string, flows []datapath.Flow) error {
	known := map[string]bool{}
	err := e.socket.elements(e.directTable, name, func(one element) { known[string(one.key)] = true })
	if errors.Is(err, unix.ENOENT) {
		return nil // no service by Direct is carried, so no such flow can arrive
	}
	if err != nil {
		return err
	}
	var news []element
	for _, flow := range flows {
		if familyOf(flow.Service) != f || flow.Client.Addr().Is4() != flow.Service.Address.Is4() {
			continue
		}
		one := element{key: flowKey(flow), value: numberBytes(flow.Backend), timeout: tcpIdle}
		if flow.Service.Protocol == datapath.UDP {
			one.timeout = udpIdle
		}
		if !known[string(one.key)] {
			known[string(one.key)] = true
			news = append(news, one)
		}
	}
	if room := e.options.Connections - len(known) + len(news); len(news) > room {
		news = news[:max(room, 0)] // a full map accepts none, and Observe warns
	}
	return e.send(e.directTable.addElements(name, news))
}

func flowKey(flow datapath.Flow) []byte {
	key := flow.Client.Addr().AsSlice()
	key = binary.BigEndian.AppendUint16(key, flow.Client.Port())
	return binary.BigEndian.AppendUint64(append(key, 0, 0), serviceNumber(flow.Service))
}
