package wire_test

import (
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/lab/wire"
	"fairlead.dev/agents/internal/netspace"
)

// newBundle lays near ═ far, and further lines whose ends have no peer.
func newBundle(t *testing.T, further int, period time.Duration) (*wire.Bundle, net.Conn) {
	t.Helper()
	wires := newWires(t)
	ends := [][2]string{{"near", "far"}}
	for i := range further {
		pair := [2]string{fmt.Sprintf("a%d", i), fmt.Sprintf("b%d", i)}
		if err := netspace.Connect(
			netspace.End{Space: wires, Interface: pair[0], Addresses: []netip.Prefix{netip.MustParsePrefix(fmt.Sprintf("10.10.%d.1/24", i))}},
			netspace.End{Space: wires, Interface: pair[1]},
		); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, pair)
	}
	bundle, err := wire.OpenBundle(wires, ends, period)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := bundle.Close(); err != nil {
			t.Error(err)
		}
	})
	return bundle, newEcho(t)
}

func TestABundleDelaysTheFramesOfEachLine(t *testing.T) {
	const delay = 3 * time.Millisecond
	bundle, conn := newBundle(t, 1, 200*time.Microsecond)
	bundle.Lines[0].Set(delay, 0)
	bundle.Lines[1].Set(time.Hour, 0)
	delays(t, conn, delay)
	if passed := bundle.Lines[1].Counts().Passed; passed > 0 {
		t.Errorf("%d frames passed the other line", passed)
	}
}

// A bundle that waits for frames notices the first one at once, and not in its next period.
func TestABundleStartsWithTheFirstFrame(t *testing.T) {
	const period = 300 * time.Millisecond
	_, conn := newBundle(t, 0, period)
	began := time.Now()
	for time.Since(began) < patience {
		if trips := roundTrips(t, conn, 1); len(trips) == 1 && trips[0] < period/2 {
			return
		}
	}
	t.Fatalf("no frame came back before half a period")
}

const patience = 20 * time.Second
