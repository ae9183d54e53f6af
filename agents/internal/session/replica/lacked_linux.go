package replica

import (
	"maps"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

const (
	lacksSpan  = 10 * time.Second // a client sends its hello again before
	lackedMost = 4096
)

// lacked is since when backends report that they lack connections that were placed there.
type lacked struct {
	mutex sync.Mutex
	since map[program.FlowKey]time.Time
}

// lasts reports whether a backend has lacked a connection for so long that it is lost, as after
// the host was restarted.
func (l *lacked) lasts(key program.FlowKey, now time.Time) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	since, ok := l.since[key]
	switch {
	case ok && now.Sub(since) > lacksSpan:
		delete(l.since, key)
		return true
	case !ok && len(l.since) < lackedMost:
		l.since[key] = now
	}
	return false
}

// expire forgets what no longer matters.
func (l *lacked) expire(now time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	maps.DeleteFunc(l.since, func(_ program.FlowKey, since time.Time) bool { return now.Sub(since) > wrongHintSpan })
}
