package ids

import (
	"hash/maphash"
	"sync"
	"time"
)

// Most is how many ids a room holds.
const Most = 1 << 20

// ID is a session id: 32 bytes that a server chose.
type ID = [32]byte

// Room holds the newest ids of all queues that share it, each with a value. When it is full, the oldest of all is
// dropped. Any goroutine may call its methods and those of queues.
type Room[V any] struct {
	mutex  sync.Mutex
	start  time.Time
	most   int
	count  int
	queues map[*Queue[V]]struct{}
	seed   maphash.Seed
}

// NewRoom returns an empty room.
func NewRoom[V any]() *Room[V] {
	return &Room[V]{start: time.Now(), most: Most, queues: map[*Queue[V]]struct{}{}, seed: maphash.MakeSeed()}
}

// NewQueue returns a queue whose ids have the numbers after first.
func (r *Room[V]) NewQueue(first uint64) *Queue[V] {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	q := &Queue[V]{room: r, first: first}
	r.queues[q] = struct{}{}
	return q
}

// Len returns how many ids are stored.
func (r *Room[V]) Len() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.count
}

func (r *Room[V]) hash(id ID) uint64 { return maphash.Bytes(r.seed, id[:]) }

// oldest returns the queue with the oldest id.
func (r *Room[V]) oldest() (oldest *Queue[V]) {
	for q := range r.queues {
		if q.count > 0 && (oldest == nil || q.at(0).at < oldest.at(0).at) {
			oldest = q
		}
	}
	return oldest
}
