package policy

import (
	"math"
	"slices"
	"testing"
	"time"
)

var oddNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), -1, 1e-300, 1e300, 1, 128, math.MaxFloat64}

func TestOddFiguresGiveValidCosts(t *testing.T) {
	fields := []func(*Figures, *Entry) *float64{
		func(f *Figures, _ *Entry) *float64 { return &f.Cores },
		func(f *Figures, _ *Entry) *float64 { return &f.ServiceTime },
		func(f *Figures, _ *Entry) *float64 { return &f.Rate },
		func(f *Figures, _ *Entry) *float64 { return &f.RateOfOthers },
		func(f *Figures, _ *Entry) *float64 { return &f.RateOfReceiver },
		func(f *Figures, _ *Entry) *float64 { return &f.InFlight },
		func(f *Figures, _ *Entry) *float64 { return &f.InFlightOfReceiver },
		func(_ *Figures, e *Entry) *float64 { return &e.Answers },
		func(_ *Figures, e *Entry) *float64 { return &e.Life },
		func(_ *Figures, e *Entry) *float64 { return &e.Connections.Rate },
	}
	for _, first := range fields {
		for _, second := range fields {
			for _, a := range oddNumbers {
				for _, b := range oddNumbers {
					figures, entry := busyNode, farAway
					entry.Connections = Connections{Open: 3, Life: 1, Rate: 10}
					*first(&figures, &entry), *second(&figures, &entry) = a, b
					valid(t, figures, entry)
				}
			}
		}
	}
}

func FuzzCalculate(f *testing.F) {
	f.Add(2.0, 0.001, 1000.0, 300.0, 100.0, 5.0, 2.0, 100.0, 0.0, 0.0, int64(6e6), 4, 3, false)
	f.Add(128.0, math.NaN(), math.Inf(1), -1.0, 1e-300, 1e300, 7.0, 1e12, 5.0, 1e9, int64(math.MinInt64), math.MaxInt, math.MinInt, true)
	f.Fuzz(func(t *testing.T, cores, serviceTime, rate, others, receiver, inFlight, mine, answers, life, each float64, roundTrip int64, nodes, open int, local bool) {
		figures := Figures{Cores: cores, ServiceTime: serviceTime, Rate: rate, RateOfOthers: others, RateOfReceiver: receiver, InFlight: inFlight, InFlightOfReceiver: mine}
		valid(t, figures, Entry{Local: local, RoundTrip: time.Duration(roundTrip), Answers: answers, Nodes: nodes,
			Connections: Connections{Open: open, Life: life, Rate: each}})
	})
}

// valid fails unless the cost is one with which the kernel's arithmetic can't overflow.
func valid(t *testing.T, figures Figures, entry Entry) {
	t.Helper()
	c := calculated(figures, entry)
	if c.Fixed > mostTime || c.Steps[63] > mostTime || c.Slope > mostSlope || c.PerConnection > mostSlope || c.Open > mostOpen {
		t.Fatalf("%+v, %+v: out of bounds: %+v", figures, entry, c)
	}
	if !slices.IsSorted(c.Steps[:]) {
		t.Fatalf("%+v, %+v: steps fall: %v", figures, entry, c.Steps)
	}
	last := uint64(0)
	for _, open := range []uint32{0, 1, c.Open, c.Open + 1, 1000, mostOpen, math.MaxUint32} {
		cost := c.Remote(open)
		if cost > 1<<63 {
			t.Fatalf("%+v, %+v: %d connections cost %d", figures, entry, open, cost)
		}
		if open >= 1000 && cost < last {
			t.Fatalf("%+v, %+v: %d connections cost %d, fewer %d", figures, entry, open, cost, last)
		}
		last = cost
	}
	if c.Local(math.MaxInt64, math.MaxUint32) > 1<<63 || c.Local(math.MinInt64, 0) > c.Local(math.MaxInt64, 0) {
		t.Fatalf("%+v, %+v: the local cost overflows", figures, entry)
	}
}

func FuzzServiceTime(f *testing.F) {
	f.Add(int64(time.Second), 0.5, 10, int64(1), math.NaN(), -1)
	f.Fuzz(func(t *testing.T, first int64, busy float64, requests int, second int64, more float64, further int) {
		var s ServiceTime
		s.Add(time.Duration(first), busy, requests)
		s.Add(time.Duration(second), more, further)
		if got := s.Seconds(); !(got >= 0) || math.IsInf(got, 0) {
			t.Fatalf("got %g", got)
		}
	})
}
