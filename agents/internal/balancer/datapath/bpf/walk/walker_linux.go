package bpf

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	// quickMost is how many entries a walk may visit while the loop waits for it: about 10
	// ms.
	quickMost = 1 << 14

	walkAgainAfter = time.Second // after a failed walk
)

var errClosed = errors.New("the engine is closed")

// walker walks the tables of flows on a goroutine of its own. They may have millions of
// entries, and a change of health must not wait for that. One walk serves all that need
// every flow: the count of live connections, the deletion of flows that are over, the flows
// that a change misplaced, and the full sets for peers. A caller that waits gets the first walk
// that starts after the request.
type walker struct {
	maps      map[string]*ebpf.Map
	published *published
	exchange  *Exchange

	wake chan struct{}

	mutex   sync.Mutex
	changed *sync.Cond
	next    *walk // requested, not started
	current *walk // in progress
	long    bool  // the current one takes too long to wait for, or all do
	slow    bool  // all do
	closed  bool
	last    walked
}

// walk is one walk. What it is for may grow while it is in progress.
type walk struct {
	flows bool                  // the misplaced flows are wanted
	moved map[datapath.Key]bool // services whose misplaced flows are announced; replaced, never changed

	over      bool
	done      chan struct{}
	misplaced []datapath.Flow
	err       error
}

// walked is the result of the last walk, or what the first one has found so far.
type walked struct {
	connections, learnt int
	live                map[owner]uint64
	complete            bool
	ended               time.Time
	took                time.Duration
	err                 error
}

// countedAt is when the walk began: it may have passed the place of a later connection. It
// is the zero time for a walk that isn't over.
func (w walked) countedAt() time.Time {
	if !w.complete {
		return time.Time{}
	}
	return w.ended.Add(-w.took)
}

// owner is a backend, as flows refer to it.
type owner struct {
	slot        uint16
	incarnation uint32
}

// newWalker returns one that walks these maps.
func newWalker(maps map[string]*ebpf.Map, published *published, exchange *Exchange) *walker {
	w := &walker{maps: maps, published: published, exchange: exchange, wake: make(chan struct{}, 1)}
	w.changed = sync.NewCond(&w.mutex)
	return w
}

// request returns a walk that has not started yet.
func (w *walker) request(flows bool) *walk {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.wanted(flows)
}

func (w *walker) wanted(flows bool) *walk {
	if w.next == nil {
		w.next = &walk{done: make(chan struct{})}
	}
	w.next.flows = w.next.flows || flows
	w.stir()
	return w.next
}

// stir makes the goroutine begin a requested walk.
func (w *walker) stir() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// announce has the misplaced flows of services announced. The walk in progress begins with
// the part that it has not visited yet.
func (w *walker) announce(services map[datapath.Key]bool) *walk {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	next := w.wanted(false)
	for _, one := range []*walk{w.current, next} {
		if one == nil {
			continue
		}
		all := maps.Clone(services)
		maps.Copy(all, one.moved)
		one.moved = all
	}
	return next
}

// await waits for a walk, unless that takes long, and returns the newest result.
func (w *walker) await(one *walk) walked {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for !one.over && !w.long && !w.slow && !w.closed {
		w.changed.Wait()
	}
	return w.last
}

// misplaced waits for a walk, however long it takes.
func (w *walker) misplaced(ctx context.Context, closed <-chan struct{}) ([]datapath.Flow, error) {
	one := w.request(true)
	select {
	case <-one.done:
		return one.misplaced, one.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-closed:
		return nil, errClosed
	}
}

// newest returns the result of a new walk, or the last one if a walk takes long. After a long
// one it pauses as long: counts may be that old.
func (w *walker) newest(now time.Time) walked {
	w.mutex.Lock()
	last, slow := w.last, w.slow || w.long
	w.mutex.Unlock()
	if slow && last.complete && now.Sub(last.ended) < last.took {
		return last
	}
	return w.await(w.request(false))
}

// neverAwait makes await return the last result at once.
func (w *walker) neverAwait() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.slow = true
}

// begin takes the requested walk; nil if there is none.
func (w *walker) begin() *walk {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.current, w.next = w.next, nil
	return w.current
}

// announces returns the services whose misplaced flows the walk in progress announces.
func (w *walker) announces(one *walk) map[datapath.Key]bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return one.moved
}

// takesLong is called when a walk has visited many entries. So far the first one has found
// this; that is all a caller waits for.
func (w *walker) takesLong(soFar walked) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.long = true
	if !w.last.complete {
		soFar.live = maps.Clone(soFar.live)
		w.last = soFar
	}
	w.changed.Broadcast()
}

func (w *walker) end(one *walk, result walked, err error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if err == nil {
		result.complete = true
		w.last = result
	} else {
		w.last.err = err
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
func (w *walker) requeue(failed *walk) {
	if len(failed.moved) == 0 || w.closed {
		return
	}
	if w.next == nil {
		w.next = &walk{done: make(chan struct{})}
	}
	all := maps.Clone(failed.moved)
	maps.Copy(all, w.next.moved)
	w.next.moved = all
	time.AfterFunc(walkAgainAfter, w.stir)
}

// close releases all that wait in await.
func (w *walker) close() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.closed = true
	w.changed.Broadcast()
}
