package datapathtest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// pace is the pause between two requests of one stream of traffic, so that many streams
// leave CPU time for the rest.
const pace = 5 * time.Millisecond

// Traffic is steady traffic: lasting connections and a series of new ones. It records
// every failure.
type Traffic struct {
	stop    chan struct{}
	streams sync.WaitGroup

	mutex    sync.Mutex
	moved    *sync.Cond // signalled at every answer and every failure
	requests []int      // by stream
	breaks   []error
}

// Start starts traffic to a service with this many lasting connections, which must stay
// at their backends, and one stream of new ones.
func (c Client) Start(t *testing.T, key datapath.Key, connections int) *Traffic {
	t.Helper()
	traffic := &Traffic{stop: make(chan struct{}), requests: make([]int, connections+1)}
	traffic.moved = sync.NewCond(&traffic.mutex)
	for i := range connections {
		conn, err := c.Connect(key)
		must(t, err)
		first, err := conn.Request()
		must(t, err)
		traffic.stream(i, func() error {
			answer, err := conn.Request()
			if err == nil && answer.Backend != first.Backend {
				err = fmt.Errorf("%s from %s went to %s after %s", key, conn.Local(), answer.Backend, first.Backend)
			}
			return err
		}, conn.Close)
	}
	traffic.stream(connections, func() error {
		_, err := c.RequestOnce(key)
		return err
	}, func() {})
	t.Cleanup(func() { traffic.end() })
	return traffic
}

func (tr *Traffic) stream(i int, request func() error, end func()) {
	tr.streams.Add(1)
	go func() {
		defer tr.streams.Done()
		defer end()
		ticker := time.NewTicker(pace)
		defer ticker.Stop()
		for {
			select {
			case <-tr.stop:
				return
			case <-ticker.C:
			}
			err := request()
			tr.mutex.Lock()
			tr.requests[i]++
			if err != nil {
				tr.breaks = append(tr.breaks, err)
			}
			tr.moved.Broadcast()
			tr.mutex.Unlock()
			if err != nil {
				return
			}
		}
	}()
}

// More waits until every stream has sent this many more requests, or one failed.
func (tr *Traffic) More(t *testing.T, times int) {
	t.Helper()
	tr.mutex.Lock()
	defer tr.mutex.Unlock()
	want := make([]int, len(tr.requests))
	for i := range want {
		want[i] = tr.requests[i] + times
	}
	for len(tr.breaks) == 0 && !reached(tr.requests, want) {
		tr.moved.Wait() // every request ends within a client's patience
	}
	if len(tr.breaks) > 0 {
		t.Fatalf("traffic broke: %v", tr.breaks)
	}
}

// Stop ends the traffic, which must not have failed.
func (tr *Traffic) Stop(t *testing.T) {
	t.Helper()
	tr.end()
	if len(tr.breaks) > 0 {
		t.Fatalf("traffic broke: %v", tr.breaks)
	}
}

func (tr *Traffic) end() {
	tr.mutex.Lock()
	select {
	case <-tr.stop:
	default:
		close(tr.stop)
	}
	tr.mutex.Unlock()
	tr.streams.Wait()
}

func reached(have, want []int) bool {
	for i := range have {
		if have[i] < want[i] {
			return false
		}
	}
	return true
}
