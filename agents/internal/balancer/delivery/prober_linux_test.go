package delivery_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/nftables"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
	"fairlead.dev/agents/internal/balancer/delivery"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

var servicePrefixes = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/64")}

// The engine carries the services all the time: probes neither use nor disturb it, and a packet that
// a backend without the service address forwards would be answered by another backend.
func TestABackendThatDoesNotGetItsPacketsIsDown(t *testing.T) {
	privileged.Need(t)
	for _, c := range []struct {
		candidate datapath.Candidate
		delivery  datapath.Delivery
	}{
		{tcx.Candidate, datapath.Direct},
		{tcx.Candidate, datapath.Tunnel},
		{tcx.Candidate, datapath.GUE},
		{xdp.Candidate, datapath.Direct},
		{nftables.Candidate(), datapath.Direct},
	} {
		t.Run(c.candidate.Name+", "+string(c.delivery), func(t *testing.T) {
			b := newBench(t, c.delivery)
			b.carry(c.candidate)
			b.monitor.Set(b.targets)
			b.become(0, health.Up, "")
			b.become(1, health.Up, "")

			disown(t, b.network.Backends[0].Space)
			b.become(0, health.Down, "isn't reached at the service address")
			own(t, b.network.Backends[0].Space)
			b.become(0, health.Up, "")

			if c.delivery.Wraps() {
				must(t, b.decaps[0].Close())
				b.become(0, health.Down, "check that it decapsulates packets from")
				b.decap(0)
				b.become(0, health.Up, "")
			}
			b.become(1, health.Up, "")
			if warning := b.prober.Warning(); warning != "" {
				t.Error(warning)
			}
			b.leavesNothing()
		})
	}
}

// bench is a replica that checks the paths of two backends.
type bench struct {
	t        *testing.T
	network  *datapathtest.Network
	delivery datapath.Delivery
	prober   *delivery.Prober
	monitor  *health.Monitor
	services []datapath.Service // of both families and protocols
	targets  []health.Target
	decaps   [2]*bpf.Decap
}

func newBench(t *testing.T, by datapath.Delivery) *bench {
	t.Helper()
	b := &bench{t: t, network: datapathtest.NewNetwork(t, by.Wraps()), delivery: by}
	if by.Wraps() {
		b.decap(0)
		b.decap(1)
	}
	for family, prefix := range servicePrefixes {
		for _, protocol := range []datapath.Protocol{datapath.TCP, datapath.UDP} {
			b.add(datapath.Key{Address: prefix.Addr().Next(), Port: 80, Protocol: protocol}, family == 0)
		}
	}
	b.prober = delivery.New(datapathtest.Interface, health.Prober{}.Probe)
	t.Cleanup(func() { must(t, b.prober.Close()) })
	b.monitor = health.NewMonitor(health.Options{Probe: func(ctx context.Context, target health.Target) (err error) {
		return b.network.Balancers[0].Do(func() error { return b.prober.Probe(ctx, target) })
	}})
	t.Cleanup(b.monitor.Close)
	return b
}

// add adds a service, and the targets of its first two backends.
func (b *bench) add(key datapath.Key, v4 bool) {
	service := b.network.Service(b.delivery, "")
	service.Key, service.Backends = key, slices.Clone(service.Backends[:2])
	check := health.Check{Kind: health.TCP, Interval: 100 * time.Millisecond, Timeout: 500 * time.Millisecond, Rise: 1, Fall: 2}
	if key.Protocol == datapath.UDP {
		check.Kind, check.Send = health.UDP, "who"
	}
	for i := range service.Backends {
		backend := &service.Backends[i]
		if !v4 {
			backend.Address = b.network.Backends[i].IPv6
		}
		target := health.Target{Address: backend.Address, Port: backend.Port, Check: check}
		b.targets = append(b.targets, target) // its check resolves the link address
		target.Path = health.Path{Service: key, Delivery: b.delivery}
		b.targets = append(b.targets, target)
	}
	b.services = append(b.services, service)
}

func (b *bench) decap(backend int) {
	must(b.t, b.network.Backends[backend].Space.Do(func() (err error) {
		b.decaps[backend], err = bpf.OpenDecap(datapathtest.Interface, datapathtest.BalancerPrefixes())
		return err
	}))
	decap := b.decaps[backend]
	b.t.Cleanup(func() { _ = decap.Close() })
}

// carry makes an engine carry the services until the test ends.
func (b *bench) carry(candidate datapath.Candidate) {
	b.t.Helper()
	var engine datapath.Engine
	must(b.t, b.network.Balancers[0].Do(func() (err error) {
		if engine, err = candidate.Open(datapath.Options{Interface: datapathtest.Interface, Name: "delivery"}); err == nil {
			_, err = datapath.Whole(engine.Set(b.t.Context(), b.services))
		}
		return err
	}))
	b.t.Cleanup(func() {
		must(b.t, b.network.Balancers[0].Do(engine.Remove))
		must(b.t, engine.Close())
	})
}

// become waits until all paths of a backend have a health. The check of its own address is always
// good.
func (b *bench) become(backend int, want health.Health, reason string) {
	b.t.Helper()
	host := b.network.Backends[backend]
	deadline := time.After(20 * time.Second)
	for {
		var missing []string
		for _, target := range b.targets {
			if target.Address != host.IPv4 && target.Address != host.IPv6 {
				continue
			}
			state, wanted := b.monitor.State(target), want
			if target.Path == (health.Path{}) {
				wanted = health.Up
			}
			if state.Health != wanted || wanted == health.Down && !strings.Contains(state.Message, reason) {
				missing = append(missing, fmt.Sprintf("%s of %s is %s: %s", target.Path.Service, target.Address, state.Health, state.Message))
			}
		}
		if missing == nil {
			return
		}
		select {
		case <-deadline:
			b.t.Fatalf("not %s:\n%s", want, strings.Join(missing, "\n"))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// leavesNothing requires that probes leave no connection at a backend.
func (b *bench) leavesNothing() {
	b.t.Helper()
	b.monitor.Set(nil)
	deadline := time.After(20 * time.Second)
	for {
		left, err := b.network.Backends[1].Space.Run(b.t.Context(), "cat", "/proc/net/tcp", "/proc/net/tcp6")
		must(b.t, err)
		const synReceived = " 03 "
		if !strings.Contains(left, synReceived) {
			return
		}
		select {
		case <-deadline:
			b.t.Fatalf("half-open connections:\n%s", left)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// disown removes the service addresses from a backend's lo.
func disown(t *testing.T, space *netspace.Space) {
	t.Helper()
	loopback, err := space.Links().LinkByName("lo")
	must(t, err)
	for _, prefix := range servicePrefixes {
		must(t, space.Links().RouteDel(&netlink.Route{
			Dst: &net.IPNet{IP: prefix.Addr().AsSlice(), Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen())}, LinkIndex: loopback.Attrs().Index,
			Type: unix.RTN_LOCAL, Table: unix.RT_TABLE_LOCAL, Scope: netlink.SCOPE_HOST,
		}))
	}
}

func own(t *testing.T, space *netspace.Space) {
	t.Helper()
	for _, prefix := range servicePrefixes {
		must(t, space.AddLocal(prefix))
	}
}

func TestWithoutThePrivilegeOnlyTheOwnAddressIsChecked(t *testing.T) {
	privileged.Need(t)
	b := newBench(t, datapath.Direct)
	disown(t, b.network.Backends[0].Space)
	must(t, b.network.Balancers[0].Do(func() error { // on a thread that ends with it
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var sets [2]unix.CapUserData
		if err := unix.Capget(&header, &sets[0]); err != nil {
			return err
		}
		sets[0].Effective &^= 1 << unix.CAP_NET_RAW
		if err := unix.Capset(&header, &sets[0]); err != nil {
			return err
		}
		for _, target := range b.targets[:2] {
			if err := b.prober.Probe(t.Context(), target); err != nil {
				t.Errorf("%+v: %v", target.Path, err)
			}
		}
		return nil
	}))
	if got := b.prober.Warning(); !strings.Contains(got, "CAP_NET_RAW") {
		t.Errorf("warning %q", got)
	}
}

func TestWithoutTheInterfaceOnlyTheOwnAddressIsChecked(t *testing.T) {
	privileged.Need(t)
	b := newBench(t, datapath.Direct)
	prober := delivery.New("eth7", health.Prober{}.Probe)
	defer prober.Close()
	must(t, b.network.Balancers[0].Do(func() error { return prober.Probe(t.Context(), b.targets[1]) }))
	if got := prober.Warning(); !strings.Contains(got, "find interface eth7") {
		t.Errorf("warning %q", got)
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
