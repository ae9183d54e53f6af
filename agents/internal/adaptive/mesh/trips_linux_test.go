package mesh

import (
	"net/netip"
	"testing"
	"time"
)

// Both agents have to be woken in each round trip, so a single one may be much longer on a busy machine. The line
// itself delays by up to half a millisecond more.
func TestTheRoundTripIsThatOfTheNetwork(t *testing.T) {
	line, near, far := newHosts(t, netip.MustParsePrefix("10.9.0.1/24"), netip.MustParsePrefix("10.9.0.2/24"))
	for _, delay := range []time.Duration{10 * time.Millisecond, 2 * time.Millisecond} {
		line.Set(delay, 0)
		if delay == 10*time.Millisecond {
			connect(t, near, far)
		}
		for _, one := range []struct {
			from *host
			to   string
		}{{near, "far"}, {far, "near"}} {
			wait(t, "a round trip of twice the delay", func() bool {
				took := one.from.RoundTrip(one.to)
				return took >= 2*delay && took < 2*delay+time.Millisecond
			})
			t.Logf("%v each way: %v", delay, one.from.RoundTrip(one.to))
		}
	}
}
