package agreement

import (
	"fmt"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestAFullQueueDropsTheOldest(t *testing.T) {
	q := newQueue()
	flow := func(n int) datapath.Flow { return datapath.Flow{Backend: fmt.Sprint(n)} }
	for n := range queueMost + 10 {
		q.put(flow(n))
	}
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() { q.run(done); close(ended) }()
	if got := <-q.out; got != flow(10) {
		t.Errorf("the first of the queue is %v, want the tenth", got)
	}
	close(done)
	<-ended
	if _, open := <-q.out; open {
		t.Error("the channel is open after the end")
	}
}
