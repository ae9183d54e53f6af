package pathmtu

import (
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// outerOf is the size of the outer header to a backend.
func outerOf(to netip.Addr) int {
	if to.Is4() {
		return headerIPv4
	}
	return headerIPv6
}

func TestAConfirmationQuotesRandomContent(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		from, to netip.Addr
		delivery program.TcxDelivery
		least    int
	}{
		{replica4, backend4, program.TcxDeliveryTUNNEL, headerIPv4 + 8},
		{replica4, backend4, program.TcxDeliveryGUE, headerIPv4 + 8},
		{replica6, backend6, program.TcxDeliveryTUNNEL, 2*headerIPv6 + 8},
		{replica6, backend6, program.TcxDeliveryGUE, 2*headerIPv6 + headerUDP + 8},
	} {
		packet := newSizeProbe(c.from, c.to, c.delivery, gueFlows, 1500)
		s := sizeProbes{sent: map[netip.Addr][]sizeProbe{c.to: {{packet, gueFlows, now}}}}
		quote := func(size int) Report {
			return Report{From: c.from, To: c.to, MTU: 1400, quoted: packet[:size], layer4: packet[outerOf(c.to):size]}
		}
		if s.confirms(quote(c.least-1), now) || !s.confirms(quote(c.least), now) {
			t.Errorf("%s by delivery %d is not confirmed by exactly %d bytes", c.to, c.delivery, c.least)
		}
		if s.confirms(quote(c.least), now.Add(probeFor+1)) {
			t.Errorf("%s: an old probe counts", c.to)
		}
	}
}

func TestProbesOfOtherPortsHideNoPath(t *testing.T) {
	now, to := time.Now(), backend4
	s := sizeProbes{sent: map[netip.Addr][]sizeProbe{}}
	sent := 0
	for port := uint16(gueFlows); port < gueFlows+2*probesMost; port++ {
		if s.allows(to, port, now) {
			s.sent[to] = append(s.sent[to], sizeProbe{newSizeProbe(replica4, to, program.TcxDeliveryGUE, port, 600), port, now})
			sent++
		}
		if s.allows(to, port, now) {
			t.Fatalf("port %d may be probed twice at once", port)
		}
	}
	if sent != probesMost {
		t.Errorf("%d probes", sent)
	}
	if later := now.Add(probeFor + 1); !s.allows(to, gueFlows, later) || len(s.sent) != 0 {
		t.Errorf("%d probes are left after their time", len(s.sent))
	}
}

func TestReportsAreLimited(t *testing.T) {
	var s sizeProbes
	now := time.Now()
	counted := 0
	for range 2 * reportsMost {
		if s.counts(now) {
			counted++
		}
	}
	if counted != reportsMost || !s.counts(now.Add(time.Second)) {
		t.Errorf("%d messages counted", counted)
	}
}
