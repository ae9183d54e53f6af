package speaker_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/gobgp"
	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/router"
	"fairlead.dev/agents/internal/speaker"
	"fairlead.dev/agents/internal/speaker/inward"
)

// variable makes this test binary run as one of the roles, with its desired state from stdin.
const variable = "FAIRLEAD_TEST_ROLE"

func TestMain(m *testing.M) {
	run, is := map[string]func(io.Reader) error{"speaker": runSpeaker, "router": runRouter}[os.Getenv(variable)]
	if !is {
		os.Exit(m.Run())
	}
	if err := run(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func newEngine() bgp.Engine { return gobgp.Open(newLog()) }

func newLog() *slog.Logger { return slog.New(slog.NewTextHandler(os.Stderr, nil)) }

// runSpeaker and runRouter are minimal agent loops for these roles.
func runSpeaker(input io.Reader) error {
	var desired speaker.Desired
	if err := gob.NewDecoder(input).Decode(&desired); err != nil {
		return err
	}
	prober, err := inward.Open(datapathtest.Interface)
	if err != nil {
		return err
	}
	driver := speaker.NewDriver(speaker.Options{
		Engine: newEngine(), Probe: prober.Probe, Now: time.Now, Log: newLog(),
		Live: func(netip.Prefix) (int, time.Time) { return 0, time.Time{} },
	})
	if _, err := driver.Set(context.Background(), desired); err != nil {
		return err
	}
	for range driver.Wake() {
		if _, err := driver.Woken(context.Background()); err != nil {
			return err
		}
	}
	return nil
}

func runRouter(input io.Reader) error {
	var desired router.Desired
	if err := gob.NewDecoder(input).Decode(&desired); err != nil {
		return err
	}
	driver := router.NewDriver(router.Options{
		Engine: newEngine(), Now: time.Now, Log: newLog(), Open: func(options fib.Options) (router.Table, error) { return fib.Open(options) },
	})
	if _, err := driver.Set(context.Background(), desired); err != nil {
		return err
	}
	for range driver.Wake() {
		if _, err := driver.Woken(context.Background()); err != nil {
			return err
		}
	}
	return nil
}

// If a replica can't carry traffic, the router's kernel has no route to it: tested from the data
// path to the kernel's route, without fakes.
func TestTheRouterFollowsTheDataPath(t *testing.T) {
	privileged.Need(t)
	const owner = 217
	network := datapathtest.NewNetwork(t, false)
	network.RouteTo(t, 1) // set by hand to the other replica, which carries nothing
	replica, service := network.Balancers[0], network.Service(datapath.Direct, "")
	prefix := netip.PrefixFrom(service.Key.Address, service.Key.Address.BitLen())
	replicaAt, routerAt := netip.MustParseAddr("10.77.0.2"), netip.MustParseAddr("10.77.0.1")
	timers := bgp.Timers{Hold: 3 * time.Second, KeepAlive: time.Second, Retry: time.Second}

	start(t, network.Router, "router", router.Desired{
		On: true, Keeps: time.Second, Settles: time.Second,
		Table: fib.Options{Owner: owner, Metric: 20, Resilient: true, Allows: []netip.Prefix{prefix}},
		BGP: bgp.Desired{
			AS: 65021, RouterID: routerAt, Listens: []netip.Addr{routerAt}, Multipath: true, Accepts: []netip.Prefix{prefix},
			Peers: []bgp.Peer{{Callers: datapathtest.BalancerPrefixes()[0], AS: 65021, Timers: timers}},
		},
	})
	speaking := start(t, replica, "speaker", speaker.Desired{
		On: true, DrainFor: time.Second,
		BGP: bgp.Desired{AS: 65021, RouterID: replicaAt, Peers: []bgp.Peer{{Address: routerAt, AS: 65021, Timers: timers, Gives: bgp.Best}}},
		Services: []speaker.Service{{
			Offer: bgp.Offer{Prefix: prefix, NextHop: replicaAt},
			Probes: []health.Target{{Address: service.Key.Address, Port: service.Key.Port, Check: health.Check{
				Kind: health.TCP, Interval: 100 * time.Millisecond, Timeout: 200 * time.Millisecond, Rise: 1, Fall: 2,
			}}},
		}},
	})
	routed := func(want bool) {
		t.Helper()
		for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			hops, err := fib.Read(network.Router.Do, owner)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Equal(hops[prefix], []netip.Addr{replicaAt}) == want {
				return
			}
			if time.Since(began) > time.Minute {
				t.Fatalf("next hops of %s in the kernel: %v", prefix, hops[prefix])
			}
		}
	}
	var engine datapath.Engine
	inside := func(do func() error) {
		t.Helper()
		if err := replica.Do(do); err != nil {
			t.Fatal(err)
		}
	}
	inside(func() (err error) {
		engine, err = tcx.Candidate.Open(datapath.Options{Interface: datapathtest.Interface, Name: "spoken"})
		return err
	})
	t.Cleanup(func() { inside(engine.Remove); _ = engine.Close() })
	client := datapathtest.Client{Space: network.Client}

	const sessionWithin = 3 * time.Second
	for began := time.Now(); time.Since(began) < sessionWithin; time.Sleep(50 * time.Millisecond) {
		routed(false) // although the session is up by then
	}
	set := func(services ...datapath.Service) {
		t.Helper()
		inside(func() error { _, err := datapath.Whole(engine.Set(t.Context(), services)); return err })
	}
	set(service)
	routed(true)
	if answer, err := client.RequestOnce(service.Key); err != nil || answer.Backend == "" {
		t.Errorf("a client got %+v, %v", answer, err)
	}
	set()
	routed(false)
	set(service)
	routed(true)
	_ = speaking.Process.Kill()
	routed(false)
}

func start(t *testing.T, space *netspace.Space, role string, desired any) *exec.Cmd {
	t.Helper()
	var input, printed bytes.Buffer
	if err := gob.NewEncoder(&input).Encode(desired); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("/proc/self/exe")
	command.Env = append(os.Environ(), variable+"="+role)
	command.Stdin, command.Stdout, command.Stderr = &input, &printed, &printed
	if err := space.Start(command); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("output of the %s:\n%s", role, printed.String())
		}
	})
	return command
}
