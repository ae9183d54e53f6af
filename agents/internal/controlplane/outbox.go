package controlplane

import (
	"context"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// seldomEvery is the interval at which unchanged parts are sent again, so that a control plane that
// lost them (a restored backup) has them again.
const seldomEvery = time.Hour

// OutboxLimits limit what is buffered while the control plane is unreachable.
type OutboxLimits struct {
	Reports int
	Bytes   int
}

// defaultLimits buffer two hours of ten-second reports of an ordinary host, and at least one report
// of a host with the maximum of interfaces and samples.
var defaultLimits = OutboxLimits{Reports: 720, Bytes: 32 << 20}

// outbox holds reports in order until they are acknowledged. When it is full it drops the oldest, because the
// newest state of a host is worth more than old points.
type outbox struct {
	limits OutboxLimits
	bootID string
	filled chan struct{} // holds one item when there may be something to send

	mu       sync.Mutex
	queue    []entry
	bytes    int
	sending  bool // queue[0] is in transit, so it may not be dropped
	sequence uint64
	dropped  uint64

	facts     seldom[*agentv1.NodeFacts]
	info      seldom[*agentv1.AgentInfo]
	inventory seldom[*agentv1.Inventory]
}

// seldom is a part of reports that is left out while it doesn't change.
type seldom[Part interface {
	comparable
	proto.Message
}] struct {
	last Part
	at   time.Time
}

// news returns the part if it has to be sent, or none. It is compared with the part queued last: reports are
// delivered in order, so that one is acknowledged before this one is sent.
func (s *seldom[Part]) news(part Part, now time.Time) (news Part) {
	if part == news || now.Sub(s.at) < seldomEvery && proto.Equal(part, s.last) {
		return news
	}
	s.last, s.at = part, now
	return part
}

type entry struct {
	report  *agentv1.ReportRequest
	bytes   int
	counted bool // counted as dropped, because its points were
}

func newOutbox(bootID string, limits OutboxLimits) *outbox {
	return &outbox{bootID: bootID, limits: limits, filled: make(chan struct{}, 1)}
}

// put numbers and queues the report, and owns it from here on.
func (o *outbox) put(report *agentv1.ReportRequest, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()

	o.sequence++
	report.BootId, report.Sequence = o.bootID, o.sequence
	o.leaveOutUnchanged(report, now)
	o.push(report)
	o.makeRoom()
	report.DroppedReports = o.dropped

	select {
	case o.filled <- struct{}{}:
	default:
	}
}

func (o *outbox) leaveOutUnchanged(report *agentv1.ReportRequest, now time.Time) {
	report.Facts = o.facts.news(report.Facts, now)
	report.Info = o.info.news(report.Info, now)
	report.Inventory = o.inventory.news(report.Inventory, now)
}

func (o *outbox) push(report *agentv1.ReportRequest) {
	size := proto.Size(report)
	o.queue = append(o.queue, entry{report: report, bytes: size})
	o.bytes += size
}

func (o *outbox) makeRoom() {
	oldest := 0
	if o.sending {
		oldest = 1
	}
	// The newest always stays, however large.
	for len(o.queue) > oldest+1 && (len(o.queue) > o.limits.Reports || o.bytes > o.limits.Bytes) {
		o.handOver(o.queue[oldest].report, &o.queue[oldest+1])
		o.remove(oldest)
		o.dropped++
	}
}

// handOver moves parts that later reports left out, because this one has them, to the next report.
func (o *outbox) handOver(from *agentv1.ReportRequest, to *entry) {
	if to.report.Facts == nil {
		to.report.Facts = from.Facts
	}
	if to.report.Info == nil {
		to.report.Info = from.Info
	}
	if to.report.Inventory == nil {
		to.report.Inventory = from.Inventory
	}
	size := proto.Size(to.report)
	o.bytes += size - to.bytes
	to.bytes = size
}

func (o *outbox) remove(at int) {
	o.bytes -= o.queue[at].bytes
	copy(o.queue[at:], o.queue[at+1:])
	o.queue[len(o.queue)-1] = entry{}
	o.queue = o.queue[:len(o.queue)-1]
}

// next waits for the oldest report and reserves it. Until [outbox.answered], [outbox.lighten] or
// [outbox.discard] it is neither changed nor dropped, so a repeated send is the same, except for its time.
func (o *outbox) next(ctx context.Context) (*agentv1.ReportRequest, error) {
	for {
		if report := o.reserve(); report != nil {
			return report, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-o.filled:
		}
	}
}

func (o *outbox) reserve() *agentv1.ReportRequest {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 {
		return nil
	}
	o.sending = true
	return o.queue[0].report
}

// answered removes the reserved report: the control plane has stored it.
func (o *outbox) answered() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.remove(0)
	o.sending = false
}

// lighten removes the points and then the facts from the reserved report, so that the current state is
// delivered without them. It returns false when there is nothing to remove.
func (o *outbox) lighten() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	first := &o.queue[0]
	light := withoutSeries(first.report)
	switch {
	case len(first.report.GetSeries()) > 0:
		o.dropped++
		first.counted = true
		light.DroppedReports = o.dropped
	case light.Facts != nil:
		light.Facts = nil
	default:
		return false
	}
	size := proto.Size(light)
	o.bytes += size - first.bytes
	first.report, first.bytes = light, size
	return true
}

// discard drops the reserved report and counts it.
func (o *outbox) discard() {
	o.mu.Lock()
	defer o.mu.Unlock()
	// The next report sends its rarely changing parts again.
	o.facts, o.info, o.inventory = seldom[*agentv1.NodeFacts]{}, seldom[*agentv1.AgentInfo]{}, seldom[*agentv1.Inventory]{}
	if !o.queue[0].counted {
		o.dropped++
	}
	o.remove(0)
	o.sending = false
}

func (o *outbox) waiting() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue)
}
