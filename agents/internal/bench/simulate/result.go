package simulate

import (
	"time"

	"fairlead.dev/agents/internal/bench/latency"
)

// Result is what clients measured after the warm-up. Times are from when a request entered to its reply.
type Result struct {
	RequestsPerSecond float64         `json:"requestsPerSecond"`
	MeanMs            float64         `json:"meanMs"`
	Latency           latency.Summary `json:"latency"`
	LocalShare        float64         `json:"localShare"`
	Failed            int             `json:"failed"`
	BusyShares        []float64       `json:"busyShares"` // of each node's cores, by the pods
	buckets           []bucket
}

// bucket has the replies of 100 ms.
type bucket struct {
	sum           float64
	count, failed int
}

const bucketSeconds = 0.1

func (b bucket) mean() float64 { return b.sum / float64(b.count) }

type recorder struct {
	warmup, length float64
	histogram      *latency.Histogram
	sum            float64
	local, failed  int
	buckets        []bucket
	used           []float64 // seconds of each node's cores, when the measurement began
}

func newRecorder(plan Plan) recorder {
	return recorder{warmup: plan.Warmup, length: plan.For, histogram: latency.NewHistogram(),
		buckets: make([]bucket, int((plan.Warmup+plan.For)/bucketSeconds)+2)}
}

func (r *recorder) add(s *simulation, request *request, local bool) {
	took := s.now - request.entered
	b := &r.buckets[int(s.now/bucketSeconds)]
	b.sum += took
	b.count++
	if request.failed {
		b.failed++
	}
	if s.now < r.warmup {
		return
	}
	if request.failed {
		r.failed++
		return
	}
	r.histogram.Add(time.Duration(took * float64(time.Second)))
	r.sum += took
	if local {
		r.local++
	}
}

// start is called at the end of the warm-up.
func (r *recorder) start(nodes []node, now float64) {
	for j := range nodes {
		nodes[j].advance(now)
		r.used = append(r.used, nodes[j].used)
	}
}

func (r *recorder) result(nodes []node) Result {
	var busy []float64
	for j := range nodes {
		nodes[j].advance(r.warmup + r.length)
		busy = append(busy, (nodes[j].used-r.used[j])/r.length/nodes[j].count)
	}
	count := max(1, float64(r.histogram.Count()))
	return Result{
		RequestsPerSecond: float64(r.histogram.Count()) / r.length, MeanMs: 1000 * r.sum / count, Latency: r.histogram.Summary(),
		LocalShare: float64(r.local) / count, Failed: r.failed, BusyShares: busy, buckets: r.buckets,
	}
}

// meanBetween is of all replies in a period of the run, in seconds.
func (r Result) meanBetween(from, to float64) float64 {
	var all bucket
	for i := int(from / bucketSeconds); i < min(int(to/bucketSeconds), len(r.buckets)); i++ {
		all.sum += r.buckets[i].sum
		all.count += r.buckets[i].count
	}
	return all.mean()
}

// worstMean is the highest mean of 100 ms after a time.
func (r Result) worstMean(from float64) (worst float64) {
	for _, b := range r.buckets[int(from/bucketSeconds) : len(r.buckets)-2] {
		if b.count > 0 {
			worst = max(worst, b.mean())
		}
	}
	return worst
}

// recovery is how long after a time the mean first stays below a limit for half a second, without failures; false
// for never.
func (r Result) recovery(from, limit float64) (seconds float64, recovered bool) {
	const stays = 5
	good := 0
	for i := int(from / bucketSeconds); i < len(r.buckets)-2; i++ {
		if b := r.buckets[i]; b.count > 0 && b.mean() < limit && b.failed == 0 {
			good++
		} else {
			good = 0
		}
		if good == stays {
			return float64(i-stays+1)*bucketSeconds - from, true
		}
	}
	return 0, false
}
