package clients

import (
	"math/rand/v2"
	"net/netip"
	"reflect"
	"testing"
	"time"
)

func network(number int) netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{10 + byte(number>>16), byte(number >> 8), byte(number), 0}), 24)
}

func TestAWindowSlidesOverTheLastMinute(t *testing.T) {
	began := time.Unix(1000, 0)
	w := newWindow(began)
	at := func(seconds int) time.Time { return began.Add(time.Duration(seconds) * time.Second) }
	for _, step := range []struct {
		seconds int
		add     traffic // of network 1
		want    traffic
		span    time.Duration
	}{
		{1, traffic{100, 1}, traffic{100, 1}, time.Second},
		{9, traffic{50, 1}, traffic{150, 2}, 9 * time.Second},
		{10, traffic{25, 1}, traffic{175, 3}, 10 * time.Second},
		{59, traffic{10, 1}, traffic{185, 4}, 59 * time.Second},
		{60, traffic{}, traffic{35, 2}, 50 * time.Second}, // the first ten seconds have left
		{75, traffic{}, traffic{10, 1}, 55 * time.Second},
		{110, traffic{}, traffic{}, 50 * time.Second},
		{1000, traffic{7, 1}, traffic{7, 1}, 50 * time.Second}, // after a long break
	} {
		if step.add != (traffic{}) {
			w.add(at(step.seconds), network(1), step.add)
		}
		listed, other, span := w.largest(at(step.seconds), 20)
		var got traffic
		if len(listed) > 0 {
			got = listed[0].sent
		}
		if got != step.want || span != step.span || other != (traffic{}) {
			t.Errorf("after %d s: %v in %v, want %v in %v; others %v", step.seconds, got, span, step.want, step.span, other)
		}
	}
	if len(w.networks) != 1 {
		t.Errorf("%d networks are kept, want only the one in the window", len(w.networks))
	}
}

func TestTheLargestAreListedAndTheRestIsCountedTogether(t *testing.T) {
	w, now := newWindow(time.Unix(0, 0)), time.Unix(5, 0)
	for number, bytes := range map[int]float64{1: 10, 2: 40, 3: 20, 4: 5, 5: 20} {
		w.add(now, network(number), traffic{bytes, 1})
	}
	listed, other, _ := w.largest(now, 3)
	want := []networkTraffic{{network(2), traffic{40, 1}}, {network(3), traffic{20, 1}}, {network(5), traffic{20, 1}}}
	if !reflect.DeepEqual(listed, want) || other != (traffic{15, 2}) {
		t.Errorf("listed %v, others %v", listed, other)
	}
}

// A flood from a quarter of a million forged networks takes no more memory, hides no large network, and no byte
// is lost from the total.
func TestAWindowIsLimited(t *testing.T) {
	const forged, large = 1 << 18, 5
	w, random := newWindow(time.Unix(0, 0)), rand.New(rand.NewPCG(1, 2))
	most, now := 0, time.Unix(1, 0)
	for i := range forged {
		w.add(now, network(1000+random.IntN(forged)), traffic{60, 1})
		if i%100 == 0 { // each large one sends 1/500 of the packets
			w.add(now, network(i/100%large), traffic{60, 1})
		}
		most = max(most, len(w.networks))
	}
	if most > networksMost {
		t.Errorf("%d networks were kept", most)
	}
	listed, other, _ := w.largest(now, large)
	total := other
	for _, one := range listed {
		total = total.plus(one.sent)
		// What it sent before it was kept is among the others: at most a few packets.
		if exact := float64(forged / 100 / large); one.sent.packets < 0.9*exact || one.sent.packets > exact+1 {
			t.Errorf("%s has %v packets, want about %v", one.prefix, one.sent.packets, exact)
		}
	}
	if packets := float64(forged + forged/100 + 1); total != (traffic{60 * packets, packets}) {
		t.Errorf("the total is %v, want %v packets of 60 bytes", total, packets)
	}
}

func BenchmarkLargestOfFullWindow(b *testing.B) {
	w, now := newWindow(time.Unix(0, 0)), time.Unix(1, 0)
	for i := range networksMost {
		w.add(now, network(i), traffic{float64(i), 1})
	}
	for b.Loop() {
		w.largest(now, 20)
	}
}
