package bpf

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Peers' acknowledgements release first packets on their own goroutines, also during a Set.
func TestAFirstPacketIsReleasedDuringASet(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, filling())
	must(t, e.Hold(time.Minute))
	for port := uint16(1000); send(t, e, from4(6, port, syn, "")) != ""; port++ {
	}
	held := waits(t, e)
	released := make(chan error)
	go func() {
		var err error
		for n := 0; n < 20 && err == nil; n++ {
			err = held.Release()
		}
		released <- err
	}()
	for range 20 {
		set(t, e, filling())
	}
	must(t, <-released)
}
