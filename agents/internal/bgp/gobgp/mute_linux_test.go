package gobgp_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

// A peer that greets and says nothing more, as one does whose guard drops what comes from farther away, is given up after
// the hold time, which is told, and is called again.
func TestAPeerThatOnlyGreetsIsGivenUp(t *testing.T) {
	t.Parallel()
	lan := bgptest.NewLAN(t)
	peer := lan.Add(t, "peer")
	calls := greet(t, peer)
	speaker := bgptest.Start(t, lan.Add(t, "speaker")) // which ends first, and its calls with it
	set(t, speaker, bgptest.Speaker(speaker.Host, peer))
	told := wentDown(t, speaker, peer.IPv4)
	if told.From != bgp.OpenConfirm || !strings.Contains(told.Reason, "silent for the hold time") {
		t.Errorf("told was %+v", told)
	}
	waitFor(t, func() bool { return calls.Load() > 1 }, func() string { return fmt.Sprintf("it was called %d times", calls.Load()) })
}

// greet answers each call of a host with nothing but a greeting, and counts them.
func greet(t *testing.T, host *bgptest.Host) *atomic.Int32 {
	t.Helper()
	open, err := greeting(t, host.IPv4).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	var listener net.Listener
	if err := host.Space.Do(func() (err error) {
		listener, err = net.Listen("tcp4", "0.0.0.0:179")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int32
	var going sync.WaitGroup
	going.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			going.Go(func() {
				defer conn.Close()
				if _, err := conn.Write(open); err == nil {
					_, _ = io.Copy(io.Discard, conn)
				}
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		going.Wait()
	})
	return &calls
}
