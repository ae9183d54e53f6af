package balancertest

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/racing"
)

// noticedWithin is how soon a change of the network must have taken effect.
const noticedWithin = time.Second

const attemptEvery = 20 * time.Millisecond

// NoticesPaths requires that an agent with this engine notices changes of its own
// interface and of routes. The test binary starts itself, as with [Follows].
func NoticesPaths(t *testing.T, candidate datapath.Candidate, delivery datapath.Delivery, prepare func(*testing.T, *datapathtest.Network)) {
	if folder := os.Getenv(folderVariable); folder != "" {
		runAsAgent(t, candidate, folder)
		return
	}
	privileged.Need(t)
	network := datapathtest.NewNetwork(t, false)
	prepare(t, network)
	balancer, router := network.Balancers[0], network.Router.Links()
	must := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	// The lost backend is a further address of the last one.
	last, lost := network.Backends[2], netip.MustParsePrefix("10.79.0.13/32")
	must(last.Space.AddAddress(datapathtest.Interface, lost), balancer.SetSysctl("net/ipv4/conf/all/promote_secondaries", "1"))
	gateway, everywhere := netip.MustParseAddr("10.77.0.1"), netip.MustParsePrefix("0.0.0.0/0")
	must(balancer.AddRoute(netip.MustParsePrefix("10.76.0.0/24"), gateway), balancer.Links().RouteDel(&netlink.Route{Dst: asIPNet(everywhere)}))

	service := network.Service(delivery, "")
	wanted := &agentv1.BalancerService{LoadBalancerId: "lb_1", Address: service.Key.Address.String(), Port: uint32(service.Key.Port), Protocol: "tcp", Delivery: string(delivery)}
	for _, backend := range service.Backends {
		address := backend.Address
		if backend.ID == last.Name {
			address = lost.Addr()
		}
		wanted.Backends = append(wanted.Backends, &agentv1.BalancerBackend{Id: backend.ID, Address: address.String(), Port: uint32(backend.Port), Weight: 1, State: "active"})
	}
	start(t, balancer, &agentv1.BalancerRole{Engine: candidate.Name, Services: []*agentv1.BalancerService{wanted}})
	untilAnsweredBy(t, network.Client, service.Key, "b")
	client := datapathtest.Client{Space: network.Client}
	for range 40 {
		if answer, err := client.RequestOnce(service.Key); err != nil || answer.Backend == last.Name {
			t.Fatalf("before there is a route, %q answers (%v)", answer.Backend, err)
		}
	}
	soon := func(what string, changed time.Time, holds func() error) {
		t.Helper()
		if err := first(t, holds); err != nil {
			t.Fatalf("%s: not noticed within %v: %v", what, patience, err)
		}
		took := time.Since(changed)
		t.Logf("%s: noticed within %v", what, took)
		if took > noticedWithin*time.Duration(racing.Here()) {
			t.Errorf("%s: noticed only after %v", what, took)
		}
		for range 40 {
			if answer, err := client.RequestOnce(service.Key); err != nil {
				t.Fatalf("%s: later, %q answers (%v)", what, answer.Backend, err)
			}
		}
	}
	answers := func() error {
		_, err := client.RequestOnce(service.Key)
		return err
	}

	own, err := balancer.Links().LinkByName(datapathtest.Interface)
	must(err)
	near, err := router.LinkByName("near")
	must(err)
	mac := net.HardwareAddr{2, 0x77, 0, 0, 0, 9}
	now := time.Now()
	must(balancer.Links().LinkSetHardwareAddr(own, mac))
	neighbour := func(address netip.Addr) error {
		return router.NeighSet(&netlink.Neigh{LinkIndex: near.Attrs().Index, IP: address.AsSlice(), HardwareAddr: mac, State: netlink.NUD_PERMANENT})
	}
	must(neighbour(netip.MustParseAddr("10.77.0.2")))
	soon("another link address", now, answers)

	former, next := netip.MustParsePrefix("10.77.0.2/24"), netip.MustParsePrefix("10.77.0.22/24")
	now = time.Now()
	must(balancer.AddAddress(datapathtest.Interface, next), neighbour(next.Addr()),
		network.Router.AddRoute(netip.MustParsePrefix("192.0.2.0/24"), next.Addr()),
		balancer.Links().AddrDel(own, &netlink.Addr{IPNet: asIPNet(former)}))
	for _, host := range network.Backends {
		must(forget(host.Space, former.Addr()))
	}
	soon("another address", now, answers)

	now = time.Now()
	must(balancer.Links().RouteReplace(&netlink.Route{Dst: asIPNet(lost), LinkIndex: own.Attrs().Index, Scope: netlink.SCOPE_LINK}))
	soon("a route to a backend", now, func() error {
		if answer, err := client.RequestOnce(service.Key); err != nil || answer.Backend != last.Name {
			return fmt.Errorf("%q answers (%w)", answer.Backend, err)
		}
		return nil
	})
}

// first returns once an attempt succeeds. It starts a new one every few milliseconds,
// because a client whose first packet is lost repeats it only after a second. The network
// stays until the last one has ended.
func first(t *testing.T, attempt func() error) (err error) {
	results := make(chan error, int(patience/attemptEvery)+1)
	var attempts sync.WaitGroup
	t.Cleanup(attempts.Wait)
	every, end := time.NewTicker(attemptEvery), time.After(patience)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			attempts.Go(func() { results <- attempt() })
		case err = <-results:
			if err == nil {
				return nil
			}
		case <-end:
			return cmp.Or(err, errors.New("no attempt has ended"))
		}
	}
}

// forget deletes a neighbour, as time would.
func forget(space *netspace.Space, address netip.Addr) error {
	neighbours, err := space.Links().NeighList(0, netlink.FAMILY_V4)
	if err != nil {
		return err
	}
	for i := range neighbours {
		if neighbours[i].IP.Equal(address.AsSlice()) {
			return space.Links().NeighDel(&neighbours[i])
		}
	}
	return nil
}

func asIPNet(prefix netip.Prefix) *net.IPNet {
	return &net.IPNet{IP: prefix.Addr().AsSlice(), Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen())}
}
