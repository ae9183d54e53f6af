package replica

import (
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

const (
	lacksSpan  = 10 * time.Second // a client sends its hello again before
	lackedMost = 4096
)

// lacked is since when backends report that they lack connections that were placed there.
type lacked struct {
	mutex sync.Mutex
	since map[program.FlowKey]lacking
}

type lacking struct {
	since  time.Time
	placed uint64 // when the placement of the connection ends, which no other one on its ports has
}

// lasts reports whether a backend has lacked a connection for so long that it is lost, as after
// the host was restarted.
func (l *lacked) lasts(key program.FlowKey, placed uint64, now time.Time) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	one, ok := l.since[key]
	isSame := ok && one.placed == placed
	switch {
	case isSame && now.Sub(one.since) > lacksSpan:
		delete(l.since, key)
		return true
	case !isSame && (ok || len(l.since) < lackedMost):
		l.since[key] = lacking{now, placed}
	}
	return false
}

// expire forgets what no longer matters.
func (l *lacked) expire(now time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	maps.DeleteFunc(l.since, func(_ program.FlowKey, one lacking) bool { return now.Sub(one.since) > wrongHintSpan })
}

// lacks handles the answer to a question, or to a packet without its connection. If that was
// placed by a hint, the hint is wrong. Otherwise a packet before it was lost, unless that lasts. The backend is queried, too: a
// packet may have overtaken the one with which the connection began there.
func (r *Replica) lacks(service *Service, key program.FlowKey, backend string) {
	r.searches.mutex.Lock()
	s := r.searches.byFlow[key]
	if s != nil {
		delete(s.waits, backend)
		r.endIfNone(key, s)
	}
	r.searches.mutex.Unlock()
	place, ok := r.joint.PlaceOf(service.Key, backend)
	connections, hinted := r.joint.Maps[program.TcxMapConnections], r.collection.Maps[program.SessionMapSessionHinted]
	var known program.FlowEntry
	var before uint64
	if s != nil || !ok || connections.Lookup(key, &known) != nil || known.Slot != place.Slot || known.Incarnation != place.Incarnation {
		return
	}
	r.sendAgain(key)
	if hinted.Lookup(key, &before) != nil && !r.lacked.lasts(key, r.placedUntil(key), time.Now()) {
		return
	}
	until := program.MonotonicAt(time.Now().Add(wrongHintSpan))
	if err := hinted.Put(key, until); err != nil {
		return
	}
	for _, m := range []*ebpf.Map{r.joint.Maps[program.TcxMapSteeredFlows], connections} {
		if err := m.Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return
		}
	}
	r.search(key, nil)
}
