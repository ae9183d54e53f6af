package gobgp

import (
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
)

func TestHistoryOfCallersIsBounded(t *testing.T) {
	noon := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	h := history{}
	caller := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}) }
	h.of(caller(0)).state = bgp.Established // the oldest, but still established
	for i := 1; i < 3*maxHistories; i++ {
		h.of(caller(i)).since = noon.Add(time.Duration(i))
	}
	newest := 3*maxHistories - 1
	if len(h) != maxHistories || h[caller(0)] == nil || h[caller(newest)] == nil || h[caller(1)] != nil {
		t.Errorf("%d entries", len(h))
	}
}

func TestBlockTimeDoubles(t *testing.T) {
	p, at := &peerHistory{}, time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for i, want := range []time.Duration{
		15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute,
		time.Hour, time.Hour,
	} {
		if got := p.block(at); got != want {
			t.Errorf("block %d: got %s, want %s", i, got, want)
		}
		at = at.Add(p.blockedFor + 5*time.Second)
	}
	if got := p.block(at.Add(2 * time.Hour)); got != firstBlock {
		t.Errorf("after a time within the limit: %s", got)
	}
}
