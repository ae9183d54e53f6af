package companion

import (
	"hash/maphash"
	"sync"
	"time"

	"fairlead.dev/agents/internal/session/message"
)

const (
	roomMost  = 1 << 20 // ids
	blockMost = 256     // ids: memory is used and freed in blocks
)

// Room holds the newest session ids of all companions that share it. When it is full, the oldest of all is
// dropped.
type Room struct {
	mutex sync.Mutex
	start time.Time
	most  int
	count int
	all   map[*numbered]struct{}
	seed  maphash.Seed
}

// NewRoom returns an empty room for the companions of an agent.
func NewRoom() *Room {
	return &Room{start: time.Now(), most: roomMost, all: map[*numbered]struct{}{}, seed: maphash.MakeSeed()}
}

// learntID is an id, and when it was learnt: after the start of the room.
type learntID struct {
	id [message.IDBytes]byte
	at time.Duration
}

// numbered are the newest ids of one service, in the order of their numbers.
type numbered struct {
	last    uint64
	count   int
	dropped int // of the first block
	blocks  []*[blockMost]learntID
	hashes  map[uint64]struct{} // of the ids: servers repeat an id when its session is resumed
}

// before returns the number before the oldest id.
func (n *numbered) before() uint64 { return n.last - uint64(n.count) }

// at returns an id by its place; the oldest has 0.
func (n *numbered) at(place int) *learntID {
	place += n.dropped
	return &n.blocks[place/blockMost][place%blockMost]
}

// drop drops the oldest id.
func (r *Room) drop(n *numbered) {
	delete(n.hashes, r.hash(n.at(0).id))
	r.count--
	n.count--
	n.dropped++
	if n.dropped == blockMost || n.count == 0 {
		n.blocks[0] = nil
		n.blocks, n.dropped = n.blocks[1:], 0
	}
	if n.count == 0 {
		n.blocks, n.hashes = nil, nil // maps don't shrink
	}
}

func (r *Room) hash(id [message.IDBytes]byte) uint64 { return maphash.Bytes(r.seed, id[:]) }

// add stores an id that isn't known yet.
func (r *Room) add(n *numbered, id [message.IDBytes]byte, now time.Time) (isNew bool) {
	hash := r.hash(id)
	if _, known := n.hashes[hash]; known {
		return false
	}
	if r.count == r.most {
		r.drop(r.oldest())
	}
	if (n.dropped+n.count)%blockMost == 0 {
		n.blocks = append(n.blocks, new([blockMost]learntID))
	}
	if n.hashes == nil {
		n.hashes = map[uint64]struct{}{}
	}
	n.hashes[hash] = struct{}{}
	n.last++
	n.count++
	r.count++
	*n.at(n.count - 1) = learntID{id, now.Sub(r.start)}
	return true
}

// oldest returns the service with the oldest id.
func (r *Room) oldest() (oldest *numbered) {
	for n := range r.all {
		if n.count > 0 && (oldest == nil || n.at(0).at < oldest.at(0).at) {
			oldest = n
		}
	}
	return oldest
}

// expire drops the ids that clients may not use any more.
func (r *Room) expire(n *numbered, lifetime time.Duration, now time.Time) {
	for n.count > 0 && now.Sub(r.start)-n.at(0).at > lifetime {
		r.drop(n)
	}
}

func (r *Room) forget(n *numbered) {
	r.count -= n.count
	delete(r.all, n)
}
