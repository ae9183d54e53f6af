package replica

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/boottime"
)

const (
	oldestMost = 65536 // ids that one walk of the map finds to drop: more of them need fewer walks
	walkMost   = 4096  // ids that are read at once
	walksMost  = 3     // to make room for one id
)

// stored are the session ids in the program's map. When it is full, the oldest one is dropped for each new one. A
// list of all by age would have as many bytes as the map, so the oldest are found by walking the map.
type stored struct {
	mutex  sync.Mutex
	table  *ebpf.Map
	lives  func() func(program.SessionSessionIdEntry) bool // which ids stay, as of now
	done   <-chan struct{}                                 // closed to end a walk early
	oldest agedIDs                                         // the oldest ids of a map that is almost full, and perhaps some that were replaced since
	limit  uint64                                          // all ids that were learnt before are among the oldest
}

type agedID struct {
	id     program.SessionSessionId
	learnt uint64
}

// agedIDs is a heap: the oldest is the first.
type agedIDs []agedID

func (a agedIDs) Len() int           { return len(a) }
func (a agedIDs) Less(i, j int) bool { return a[i].learnt < a[j].learnt }
func (a agedIDs) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a *agedIDs) Push(one any)      { *a = append(*a, one.(agedID)) }
func (a *agedIDs) Pop() any {
	last := len(*a) - 1
	one := (*a)[last]
	*a = (*a)[:last]
	return one
}

// put stores ids. Without room, each takes the place of the oldest of all, unless it is older.
func (s *stored) put(ids []program.SessionSessionId, entries []program.SessionSessionIdEntry) error {
	if len(ids) == 0 {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	done := 0
	if len(s.oldest) == 0 { // there may be room
		var err error
		if done, err = s.table.BatchUpdate(ids, entries, nil); err != nil && !errors.Is(err, unix.E2BIG) {
			return fmt.Errorf("store session ids: %w", err)
		}
	}
	for ; done < len(ids); done++ {
		if err := s.replaceOldest(ids[done], entries[done]); err != nil {
			return err
		}
	}
	return nil
}

// putNow stores ids if there is room, without waiting for a walk of the map. put must follow, so that they can become the oldest.
func (s *stored) putNow(ids []program.SessionSessionId, entries []program.SessionSessionIdEntry) error {
	if _, err := s.table.BatchUpdate(ids, entries, nil); err != nil {
		return fmt.Errorf("store session ids: %w", err)
	}
	return nil
}

func (s *stored) replaceOldest(id program.SessionSessionId, entry program.SessionSessionIdEntry) error {
	for walks := 0; ; {
		err := s.table.Put(id, entry)
		if err == nil {
			if entry.Learnt < s.limit {
				heap.Push(&s.oldest, agedID{id, entry.Learnt})
			}
			return nil
		}
		if !errors.Is(err, unix.E2BIG) || walks == walksMost {
			return fmt.Errorf("store a session id: %w", err)
		}
		oldest, ok := s.findOldest()
		if !ok {
			walks++
			if err := s.sweep(); err != nil {
				return err
			}
			continue
		}
		if entry.Learnt <= oldest.learnt {
			return nil
		}
		heap.Pop(&s.oldest)
		if err := s.table.Delete(oldest.id); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("drop the oldest session id: %w", err)
		}
	}
}

// findOldest returns the first of the oldest that is still in the map as it was.
func (s *stored) findOldest() (oldest agedID, ok bool) {
	for len(s.oldest) > 0 {
		var entry program.SessionSessionIdEntry
		if s.table.Lookup(s.oldest[0].id, &entry) == nil && entry.Learnt == s.oldest[0].learnt {
			return s.oldest[0], true
		}
		heap.Pop(&s.oldest)
	}
	return oldest, false
}

// sweepNow removes ids that expired, and those of backends that are gone.
func (s *stored) sweepNow() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.sweep()
}

func (s *stored) sweep() error {
	var cursor ebpf.MapBatchCursor
	oldest := s.oldest[:0]
	s.oldest, s.limit = nil, 0
	ids, entries := make([]program.SessionSessionId, walkMost), make([]program.SessionSessionIdEntry, walkMost)
	lives, left, limit, end := s.lives(), 0, ^uint64(0), error(nil)
	for end == nil {
		if s.isDone() {
			return errClosed
		}
		var found int
		found, end = s.table.BatchLookup(&cursor, ids, entries, nil)
		if end != nil && !errors.Is(end, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("read the session ids: %w", end)
		}
		var ended []program.SessionSessionId
		for i, entry := range entries[:found] {
			switch {
			case !lives(entry):
				ended = append(ended, ids[i])
				continue
			case entry.Learnt < limit:
				oldest = append(oldest, agedID{ids[i], entry.Learnt})
			}
			left++
			if len(oldest) == 2*oldestMost {
				oldest, limit = firstOf(oldest)
			}
		}
		for _, id := range ended {
			if err := s.table.Delete(id); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
				return fmt.Errorf("remove a session id: %w", err)
			}
		}
	}
	// A map with a little room is soon full again: one walk must be enough for many ids.
	if s.oldest = oldest[:0]; left > int(s.table.MaxEntries())-oldestMost {
		s.oldest, s.limit = firstOf(oldest)
	}
	return nil
}

var errClosed = errors.New("the replica is closed")

func (s *stored) isDone() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// firstOf returns the oldest ids, and when the first one was learnt that isn't among them.
func firstOf(ids []agedID) (oldest []agedID, limit uint64) {
	slices.SortFunc(ids, func(a, b agedID) int { return cmp.Compare(a.learnt, b.learnt) })
	most := min(len(ids), oldestMost)
	return ids[:most], ids[most-1].learnt
}

// olderMost is the greatest age in a message. Ids may be older than this host.
const olderMost = (1<<32 - 1) * time.Millisecond

// clock is that of entries: it stays right when the agent starts again, or the time of day is set.
func clock() time.Duration {
	return olderMost + boottime.Now()
}
