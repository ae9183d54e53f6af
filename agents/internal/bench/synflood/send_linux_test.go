package synflood

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"testing"
	"time"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/netspace/netspacetest"
	"fairlead.dev/agents/internal/privileged"
)

func TestMain(m *testing.M) { netspacetest.Main(m) }

func TestTheWantedRateArrives(t *testing.T) {
	privileged.Need(t)
	from, to := space(t, "from"), space(t, "to")
	hardware := net.HardwareAddr{2, 0, 0, 0, 0, 2}
	if err := netspace.Connect(
		netspace.End{Space: from, Interface: "eth0", MAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}},
		netspace.End{Space: to, Interface: "eth0", MAC: hardware}); err != nil {
		t.Fatal(err)
	}
	const rate = 2000
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var sent Sent
	if err := from.Do(func() (err error) {
		sent, err = Send(ctx, Options{Interface: "eth0", From: net.HardwareAddr{2, 0, 0, 0, 0, 1}, To: hardware, Target: netip.MustParseAddrPort("192.0.2.1:443"), Rate: rate})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	link, err := to.Links().LinkByName("eth0")
	if err != nil {
		t.Fatal(err)
	}
	// It sends until the second of its context is over, which begins a little earlier.
	if elapsed := time.Since(began).Seconds(); sent.Seconds < 0.5 || sent.Seconds > elapsed {
		t.Errorf("%+v within %f s", sent, elapsed)
	}
	// A sender without a processor catches up, but for less than a second.
	if sent.SYNs < rate/20 || float64(sent.SYNs) > rate*sent.Seconds+1 || sent.Refused > 0 {
		t.Errorf("%+v", sent)
	}
	if arrived := link.Attrs().Statistics.RxPackets; arrived < sent.SYNs {
		t.Errorf("%d arrived of %+v", arrived, sent)
	}
}

func space(t *testing.T, name string) *netspace.Space {
	t.Helper()
	space, err := netspace.New(fmt.Sprintf("flsyn%d-%s", os.Getpid(), name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := space.Delete(); err != nil {
			t.Error(err)
		}
	})
	return space
}
