package adaptive

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestDelayLinesConnectTwoNamespaces(t *testing.T) {
	privileged.Need(t)
	spaces := map[string]*netspace.Space{}
	for _, name := range []string{"hub", "a", "b"} {
		space, err := netspace.New(fmt.Sprintf("fairlead-delay-%d-%s", os.Getpid(), name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = space.Delete() })
		spaces[name] = space
	}
	hub, a, b := spaces["hub"], spaces["a"], spaces["b"]
	for name, space := range map[string]*netspace.Space{"a": a, "b": b} {
		at := netip.MustParsePrefix(map[string]string{"a": "10.9.1.1/24", "b": "10.9.1.2/24"}[name])
		if err := netspace.Connect(netspace.End{Space: space, Interface: "eth0", Addresses: []netip.Prefix{at}},
			netspace.End{Space: hub, Interface: "line-" + name}); err != nil {
			t.Fatal(err)
		}
	}
	const roundTrip = 30 * time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Delay(ctx, DelayOptions{
			Namespace: filepath.Join(netspace.Folder, hub.Name), Ends: [][2]string{{"line-a", "line-b"}}, RoundTrip: roundTrip,
		})
	}()
	listener, err := b.Listen(t.Context(), "tcp", "10.9.1.2:80")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	dialing, stopDialing := context.WithTimeout(t.Context(), patience)
	defer stopDialing()
	connect := func() time.Duration {
		began := time.Now()
		conn, err := a.Dial(dialing, "tcp", "10.9.1.2:80")
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
		return time.Since(began)
	}
	const least = roundTrip - 2*linePeriod
	for connect() < least { // the lines are open for a moment before they have their delay
		time.Sleep(time.Millisecond)
	}
	if took := connect(); took < least {
		t.Errorf("a connection took %v, and the round trip is %v", took, roundTrip)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestDelayOptions(t *testing.T) {
	ends := [][2]string{{"a", "b"}}
	for name, test := range map[string]struct {
		options DelayOptions
		isError bool
	}{
		"complete":      {DelayOptions{Ends: ends, RoundTrip: time.Millisecond}, false},
		"without ends":  {DelayOptions{RoundTrip: time.Millisecond}, true},
		"without delay": {DelayOptions{Ends: ends}, true},
	} {
		if err := test.options.Check(); (err != nil) != test.isError {
			t.Errorf("%s: %v", name, err)
		}
	}
}
