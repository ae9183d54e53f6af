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

// A peer that sends OPEN and nothing more, as with GTSM on its side that drops our packets, is
// closed and reported after the hold time, and connected to again.
func TestAPeerThatOnlySendsOpenTimesOut(t *testing.T) {
	t.Parallel()
	lan := bgptest.NewLAN(t)
	peer := lan.Add(t, "peer")
	calls := answerWithOpen(t, peer)
	speaker := bgptest.Start(t, lan.Add(t, "speaker")) // stops first, and closes its connections
	set(t, speaker, bgptest.Speaker(speaker.Host, peer))
	reported := waitForDown(t, speaker, peer.IPv4)
	if reported.From != bgp.OpenConfirm || !strings.Contains(reported.Reason, "hold timer expired") {
		t.Errorf("got %+v", reported)
	}
	waitFor(t, func() bool { return calls.Load() > 1 }, func() string { return fmt.Sprintf("%d connections", calls.Load()) })
}

// answerWithOpen answers each connection with an OPEN message only, and counts connections.
func answerWithOpen(t *testing.T, host *bgptest.Host) *atomic.Int32 {
	t.Helper()
	open, err := openMessage(t, host.IPv4).Serialize()
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
