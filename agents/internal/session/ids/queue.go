package ids

import "time"

const (
	blockMost  = 256     // ids: memory is used and freed in blocks
	numberMost = 1 << 63 // that a request can have: numbers after it don't overflow
)

// Queue is the ids of one service, in the order of their numbers.
type Queue[V any] struct {
	room    *Room[V]
	first   uint64 // the number before that of the first id that was added
	added   uint64
	count   int
	dropped int // of the first block
	blocks  []*[blockMost]learnt[V]
	turns   map[uint64]uint64 // of the ids that were added, from 1, by the hash of the id
}

// learnt is an id, and when it was learnt: after the start of the room.
type learnt[V any] struct {
	value V
	id    ID
	at    time.Duration
}

// Part is some ids of a queue.
type Part struct {
	IDs    []ID
	Ages   []time.Duration
	Last   uint64 // the number of the last of them
	Before uint64 // the number before the oldest id of the queue
	Newest uint64 // the number of the newest one
}

// Add stores an id. Servers repeat an id when its session is resumed: then it keeps its age, and gets the value. An id
// that is older than the lifetime is a new one.
func (q *Queue[V]) Add(id ID, value V, lifetime time.Duration, now time.Time) (p Part, isNew bool) {
	r := q.room
	r.mutex.Lock()
	defer r.mutex.Unlock()
	q.expire(lifetime, now)
	if known := q.find(id); known != nil {
		known.value = value
		return p, false
	}
	if _, open := r.queues[q]; !open {
		return p, false
	}
	if r.count == r.most {
		r.oldest().drop()
	}
	if (q.dropped+q.count)%blockMost == 0 {
		q.blocks = append(q.blocks, new([blockMost]learnt[V]))
	}
	if q.turns == nil {
		q.turns = map[uint64]uint64{}
	}
	q.added++
	q.count++
	r.count++
	q.turns[r.hash(id)] = q.added
	*q.at(q.count - 1) = learnt[V]{value, id, now.Sub(r.start)}
	return Part{IDs: []ID{id}, Ages: []time.Duration{0}, Last: q.last(), Before: q.before(), Newest: q.last()}, true
}

// Value returns the value of an id.
func (q *Queue[V]) Value(id ID, lifetime time.Duration, now time.Time) (value V, ok bool) {
	q.room.mutex.Lock()
	defer q.room.mutex.Unlock()
	q.expire(lifetime, now)
	if known := q.find(id); known != nil {
		return known.value, true
	}
	return value, false
}

// Age returns how long ago an id was learnt.
func (q *Queue[V]) Age(id ID, lifetime time.Duration, now time.Time) (age time.Duration, ok bool) {
	q.room.mutex.Lock()
	defer q.room.mutex.Unlock()
	q.expire(lifetime, now)
	if known := q.find(id); known != nil {
		return now.Sub(q.room.start) - known.at, true
	}
	return 0, false
}

// After returns at most this many of the oldest ids after a number. A number that is higher than all is of a former
// queue. From then on all ids have higher ones: otherwise its replica would ignore them as known ones.
func (q *Queue[V]) After(number uint64, most int, lifetime time.Duration, now time.Time) Part {
	q.room.mutex.Lock()
	defer q.room.mutex.Unlock()
	q.expire(lifetime, now)
	if number > q.last() && number <= numberMost {
		q.first += number - q.before()
	}
	p := Part{Last: max(number, q.before()), Before: q.before()}
	p.Newest = max(q.last(), p.Last)
	for ; p.Last < q.last() && len(p.IDs) < most; p.Last++ {
		one := q.at(int(p.Last - q.before()))
		p.IDs, p.Ages = append(p.IDs, one.id), append(p.Ages, now.Sub(q.room.start)-one.at)
	}
	return p
}

// Close forgets the ids.
func (q *Queue[V]) Close() {
	q.room.mutex.Lock()
	defer q.room.mutex.Unlock()
	q.room.count -= q.count
	delete(q.room.queues, q)
	q.count, q.dropped, q.blocks, q.turns = 0, 0, nil, nil
}

// last returns the number of the newest id.
func (q *Queue[V]) last() uint64 { return q.first + q.added }

// before returns the number before the oldest id.
func (q *Queue[V]) before() uint64 { return q.last() - uint64(q.count) }

// gone returns how many ids were added before the oldest one.
func (q *Queue[V]) gone() uint64 { return q.added - uint64(q.count) }

// at returns an id by its place; the oldest has 0.
func (q *Queue[V]) at(place int) *learnt[V] {
	place += q.dropped
	return &q.blocks[place/blockMost][place%blockMost]
}

func (q *Queue[V]) find(id ID) *learnt[V] {
	turn, ok := q.turns[q.room.hash(id)]
	if !ok {
		return nil
	}
	if one := q.at(int(turn - q.gone() - 1)); one.id == id {
		return one
	}
	return nil
}

// expire drops the ids that clients may not use any more.
func (q *Queue[V]) expire(lifetime time.Duration, now time.Time) {
	for q.count > 0 && now.Sub(q.room.start)-q.at(0).at > lifetime {
		q.drop()
	}
}

// drop drops the oldest id.
func (q *Queue[V]) drop() {
	hash := q.room.hash(q.at(0).id)
	if q.turns[hash] == q.gone()+1 { // not of another id with that hash
		delete(q.turns, hash)
	}
	q.room.count--
	q.count--
	q.dropped++
	if q.dropped == blockMost {
		q.blocks[0] = nil
		q.blocks, q.dropped = q.blocks[1:], 0
	}
	if q.count == 0 {
		q.dropped, q.blocks, q.turns = 0, nil, nil // maps don't shrink
	}
}
