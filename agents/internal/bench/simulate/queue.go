package simulate

// step is what happens at an event's time.
type step uint8

const (
	enters    step = iota // a request enters at node `of`, from client `and`, or at version `and` of its rate
	arrives               // request `of` arrives at its backend's node
	completes             // node `of` completes a request, unless its requests changed since: `and` is their version
	adjusts               // the quota of node `of` changes how fast it is, unless its requests changed since: `and` is their version
	replies               // the reply of request `of` is back
	calls                 // function `of` is called
)

type event struct {
	at      float64
	order   uint32 // equal times are in the order in which they were added, so that runs are repeatable
	of, and int32
	step    step
}

func (e *event) before(other *event) bool {
	return e.at < other.at || e.at == other.at && e.order < other.order
}

// queue is a heap of events by time, with four children per entry.
type queue struct {
	heap  []event
	order uint32
}

func (q *queue) add(at float64, s step, of, and int) {
	q.order++
	q.heap = append(q.heap, event{at, q.order, int32(of), int32(and), s})
	heap := q.heap
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 4
		if !heap[i].before(&heap[parent]) {
			break
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
}

func (q *queue) next() event {
	heap := q.heap
	first, last := heap[0], len(heap)-1
	heap[0] = heap[last]
	heap = heap[:last]
	q.heap = heap
	for i := 0; ; {
		least := i
		for child := 4*i + 1; child < min(4*i+5, last); child++ {
			if heap[child].before(&heap[least]) {
				least = child
			}
		}
		if least == i {
			return first
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}
