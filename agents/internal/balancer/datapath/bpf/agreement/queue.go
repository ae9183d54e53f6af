package agreement

import (
	"sync"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// queueMost bounds the queue for a slow reader.
const queueMost = 65536

// queue delivers flows in order and drops the oldest when it is full.
type queue struct {
	out   chan datapath.Flow
	wake  chan struct{}
	mutex sync.Mutex
	waits []datapath.Flow
}

func newQueue() *queue {
	return &queue{out: make(chan datapath.Flow), wake: make(chan struct{}, 1)}
}

func (q *queue) put(flow datapath.Flow) {
	q.mutex.Lock()
	if len(q.waits) == queueMost {
		q.waits = q.waits[1:]
	}
	q.waits = append(q.waits, flow)
	q.mutex.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// run delivers until done is closed, and closes out then.
func (q *queue) run(done <-chan struct{}) {
	defer close(q.out)
	for {
		q.mutex.Lock()
		batch := q.waits
		q.waits = nil
		q.mutex.Unlock()
		for _, flow := range batch {
			select {
			case q.out <- flow:
			case <-done:
				return
			}
		}
		if len(batch) > 0 {
			continue
		}
		select {
		case <-q.wake:
		case <-done:
			return
		}
	}
}
