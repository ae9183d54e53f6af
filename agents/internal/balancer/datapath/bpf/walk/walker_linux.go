package walk

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/agreement"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

const (
	// quickMost is how many entries a walk may visit while the loop waits for it: about 10
	// ms.
	quickMost = 1 << 14

	walkAgainAfter = time.Second // after a failed walk
)

var errClosed = errors.New("the engine is closed")

// Walker walks the tables of flows on a goroutine of its own. They may have millions of
// entries, and a change of health must not wait for that. One walk serves all that need
// every flow: the count of live connections, the deletion of flows that are over, the flows
// that a change misplaced, and the full sets for peers. A caller that waits gets the first walk
// that starts after the request.
type Walker struct {
	maps      map[string]*ebpf.Map
	published *state.Published
	exchange  *agreement.Exchange

	wake     chan struct{}
	applying atomic.Int32 // changes that are being applied

	mutex   sync.Mutex
	changed *sync.Cond
	next    *Walk // requested, not started
	current *Walk // in progress
	long    bool  // the current one takes too long to wait for, or all do
	slow    bool  // all do
	closed  bool
	last    Result
}

// Walk is one walk. What it is for may grow while it is in progress.
type Walk struct {
	flows bool                  // the misplaced flows are wanted
	moved map[datapath.Key]bool // services whose misplaced flows are announced; replaced, never changed

	over      bool
	done      chan struct{}
	misplaced []datapath.Flow
	err       error
}

// Result is the result of the last walk, or what the first one has found so far.
type Result struct {
	Connections, Learnt int
	Live                map[Owner]uint64
	Complete            bool
	ended               time.Time
	took                time.Duration
	Err                 error
}

// CountedAt is when the walk began: it may have passed the place of a later connection. It
// is the zero time for a walk that isn't over.
func (w Result) CountedAt() time.Time {
	if !w.Complete {
		return time.Time{}
	}
	return w.ended.Add(-w.took)
}

// Owner is a backend, as flows refer to it.
type Owner struct {
	Slot        uint16
	Incarnation uint32
}

// New returns one that walks these maps.
func New(maps map[string]*ebpf.Map, published *state.Published, exchange *agreement.Exchange) *Walker {
	w := &Walker{maps: maps, published: published, exchange: exchange, wake: make(chan struct{}, 1)}
	w.changed = sync.NewCond(&w.mutex)
	return w
}

// Request returns a walk that has not started yet.
func (w *Walker) Request(flows bool) *Walk {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.wanted(flows)
}

func (w *Walker) wanted(flows bool) *Walk {
	if w.next == nil {
		w.next = &Walk{done: make(chan struct{})}
	}
	w.next.flows = w.next.flows || flows
	w.stir()
	return w.next
}

// stir makes the goroutine begin a requested walk.
func (w *Walker) stir() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Announce has the misplaced flows of services announced. The walk in progress begins with
// the part that it has not visited yet.
func (w *Walker) Announce(services map[datapath.Key]bool) *Walk {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	next := w.wanted(false)
	for _, one := range []*Walk{w.current, next} {
		if one == nil {
			continue
		}
		all := maps.Clone(services)
		maps.Copy(all, one.moved)
		one.moved = all
	}
	return next
}

// Await waits for a walk, unless that takes long, and returns the newest result.
func (w *Walker) Await(one *Walk) Result {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for !one.over && !w.long && !w.slow && !w.closed {
		w.changed.Wait()
	}
	return w.last
}

// Misplaced waits for a walk, however long it takes.
func (w *Walker) Misplaced(ctx context.Context, closed <-chan struct{}) ([]datapath.Flow, error) {
	one := w.Request(true)
	select {
	case <-one.done:
		return one.misplaced, one.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-closed:
		return nil, errClosed
	}
}

// Newest returns the result of a new walk, or the last one if a walk takes long. After a long
// one it pauses as long: counts may be that old.
func (w *Walker) Newest(now time.Time) Result {
	w.mutex.Lock()
	last, slow := w.last, w.slow || w.long
	w.mutex.Unlock()
	if slow && last.Complete && now.Sub(last.ended) < last.took {
		return last
	}
	return w.Await(w.Request(false))
}

// GiveWay makes long walks rest until the change that is being applied is over, so that it has all
// processors.
func (w *Walker) GiveWay() (over func()) {
	w.applying.Add(1)
	return func() { w.applying.Add(-1) }
}

// NeverAwait makes await return the last result at once.
func (w *Walker) NeverAwait() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.slow = true
}

// begin takes the requested walk; nil if there is none.
func (w *Walker) begin() *Walk {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.current, w.next = w.next, nil
	return w.current
}

// announces returns the services whose misplaced flows the walk in progress announces.
func (w *Walker) announces(one *Walk) map[datapath.Key]bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return one.moved
}

// takesLong is called when a walk has visited many entries. So far the first one has found
// this; that is all a caller waits for.
func (w *Walker) takesLong(soFar Result) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.long = true
	if !w.last.Complete {
		soFar.Live = maps.Clone(soFar.Live)
		w.last = soFar
	}
	w.changed.Broadcast()
}

func (w *Walker) end(one *Walk, result Result, err error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if err == nil {
		result.Complete = true
		w.last = result
	} else {
		w.last.Err = err
		one.misplaced = nil
		w.requeue(one)
	}
	one.err, one.over = err, true
	w.current, w.long = nil, false
	close(one.done)
	w.changed.Broadcast()
}

// requeue keeps what a failed walk should have announced for the next one, which follows
// soon.
func (w *Walker) requeue(failed *Walk) {
	if len(failed.moved) == 0 || w.closed {
		return
	}
	if w.next == nil {
		w.next = &Walk{done: make(chan struct{})}
	}
	all := maps.Clone(failed.moved)
	maps.Copy(all, w.next.moved)
	w.next.moved = all
	time.AfterFunc(walkAgainAfter, w.stir)
}

// Close releases all that wait in await.
func (w *Walker) Close() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.closed = true
	w.changed.Broadcast()
}
