package gobgp_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

// When the settings of all peers change at once, callers disconnect while the reflector closes
// their sessions.
func TestCallersMayDisconnectWhileTheirSessionsAreClosed(t *testing.T) {
	t.Parallel()
	lan := bgptest.NewLAN(t)
	reflector := bgptest.Start(t, lan.Add(t, "reflector"))
	theirs := bgptest.Reflector(reflector.Host)
	set(t, reflector, theirs)
	var speakers []*bgptest.Process
	for i := range 6 {
		speaker := bgptest.Start(t, lan.Add(t, fmt.Sprintf("speaker%d", i)))
		set(t, speaker, bgptest.Speaker(speaker.Host, reflector.Host))
		speakers = append(speakers, speaker)
	}
	for round := range 8 {
		for _, speaker := range speakers {
			waitFor(t, func() bool { return sessionWith(t, reflector, speaker.Host.IPv4).State == bgp.Established },
				func() string { return fmt.Sprintf("%+v", sessionWith(t, reflector, speaker.Host.IPv4)) })
		}
		theirs.Peers[0].Timers.Hold = time.Duration(3+round%2) * time.Second
		var all sync.WaitGroup
		for _, speaker := range speakers {
			all.Go(func() {
				ours := bgptest.Speaker(speaker.Host, reflector.Host)
				ours.Peers[0].Timers.Hold = theirs.Peers[0].Timers.Hold
				if _, err := speaker.Set(ours); err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(time.Duration(round) * time.Millisecond)
		if _, err := reflector.Set(theirs); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		all.Wait()
	}
}
