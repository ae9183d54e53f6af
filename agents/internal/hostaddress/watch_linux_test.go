package hostaddress_test

import (
	"fmt"
	"net/netip"
	"os"
	"testing"
	"time"

	"fairlead.dev/agents/internal/hostaddress"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestChangedAddressesAndLinksAreReported(t *testing.T) {
	privileged.Need(t)
	space, err := netspace.New(fmt.Sprintf("flwatch-%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := space.Delete(); err != nil {
			t.Error(err)
		}
	})
	if err := space.AddBridge("lan"); err != nil {
		t.Fatal(err)
	}
	var changed <-chan struct{}
	var stop func()
	if err := space.Do(func() (err error) { changed, stop, err = hostaddress.Watch(); return err }); err != nil {
		t.Fatal(err)
	}
	defer stop()
	for _, change := range []struct {
		name string
		do   func() error
	}{
		{"a new address", func() error { return space.AddAddress("lan", netip.MustParsePrefix("10.9.0.1/24")) }},
		{"a link down", func() error { return space.Down("lan") }},
		{"a link up", func() error { return space.Up("lan") }},
		{"a removed address", func() error { _, err := space.Run(t.Context(), "ip", "address", "flush", "dev", "lan"); return err }},
	} {
		if err := change.do(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-changed:
		case <-time.After(time.Minute):
			t.Fatalf("%s is not reported", change.name)
		}
		drain(changed)
	}
}

// drain waits until there are no more changes.
func drain(changed <-chan struct{}) {
	for {
		select {
		case <-changed:
		case <-time.After(200 * time.Millisecond):
			return
		}
	}
}
