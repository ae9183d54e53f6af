package clients

import (
	"cmp"
	"net/netip"
	"slices"
	"time"
)

const (
	bucketCount  = 6
	bucketSpan   = 10 * time.Second
	networksMost = 4096 // of one service; the smallest are then counted together
)

// traffic is what a network has sent.
type traffic struct{ bytes, packets float64 }

func (t traffic) plus(other traffic) traffic {
	return traffic{t.bytes + other.bytes, t.packets + other.packets}
}

func (t traffic) times(factor float64) traffic { return traffic{t.bytes * factor, t.packets * factor} }

// buckets are the parts of a window, in a ring.
type buckets [bucketCount]traffic

func (b *buckets) sum() (all traffic) {
	for _, one := range b {
		all = all.plus(one)
	}
	return all
}

func (b *buckets) add(other *buckets) {
	for i := range b {
		b[i] = b[i].plus(other[i])
	}
}

// window is the traffic of one service during the last minute, by network.
type window struct {
	began    time.Time
	newest   int // number of the newest bucket since it began
	networks map[netip.Prefix]*buckets
	other    buckets // of networks that are not in the map
}

func newWindow(now time.Time) *window {
	return &window{began: now, networks: map[netip.Prefix]*buckets{}}
}

// add counts traffic that was sampled until now.
func (w *window) add(now time.Time, network netip.Prefix, sent traffic) {
	w.advance(now)
	of := w.networks[network]
	if of == nil {
		if len(w.networks) >= networksMost {
			w.dropSmallest()
		}
		of = &buckets{}
		w.networks[network] = of
	}
	i := w.newest % bucketCount
	of[i] = of[i].plus(sent)
}

// advance clears the buckets that are older than the window.
func (w *window) advance(now time.Time) {
	number := int(now.Sub(w.began) / bucketSpan)
	for cleared := 0; w.newest < number && cleared < bucketCount; cleared++ {
		w.newest++
		w.clear(w.newest % bucketCount)
	}
	w.newest = max(w.newest, number)
}

func (w *window) clear(i int) {
	w.other[i] = traffic{}
	for network, of := range w.networks {
		if of[i] = (traffic{}); of.sum() == (traffic{}) {
			delete(w.networks, network)
		}
	}
}

// dropSmallest moves the smaller half of the networks to the others. Half, so that a flood from many
// networks rarely sorts them.
func (w *window) dropSmallest() {
	all := w.largestFirst()
	for _, one := range all[len(all)/2:] {
		w.other.add(w.networks[one.prefix])
		delete(w.networks, one.prefix)
	}
}

// largest returns the networks with the most bytes until now, the sum of all others, and the span
// that both cover.
func (w *window) largest(now time.Time, most int) (listed []networkTraffic, other traffic, span time.Duration) {
	w.advance(now)
	listed, other = w.largestFirst(), w.other.sum()
	if len(listed) > most {
		for _, one := range listed[most:] {
			other = other.plus(one.sent)
		}
		listed = listed[:most]
	}
	oldest := max(0, w.newest-bucketCount+1)
	return listed, other, now.Sub(w.began.Add(time.Duration(oldest) * bucketSpan))
}

type networkTraffic struct {
	prefix netip.Prefix
	sent   traffic
}

func (w *window) largestFirst() []networkTraffic {
	all := make([]networkTraffic, 0, len(w.networks))
	for prefix, of := range w.networks {
		all = append(all, networkTraffic{prefix, of.sum()})
	}
	slices.SortFunc(all, func(a, b networkTraffic) int {
		return cmp.Or(cmp.Compare(b.sent.bytes, a.sent.bytes), a.prefix.Compare(b.prefix))
	})
	return all
}
