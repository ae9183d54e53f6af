package arrivals_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/speaker/arrivals"
	"fairlead.dev/agents/internal/speaker/inward"
)

// A client's packets are observed although the data path takes them before the kernel's stack; a
// probe of this host isn't counted.
func TestClientPacketsAreObserved(t *testing.T) {
	privileged.Need(t)
	network := datapathtest.NewNetwork(t, false)
	network.RouteTo(t, 0)
	replica := network.Balancers[0]
	four := network.Service(datapath.Direct, "")
	six := network.Service(datapath.Direct, "")
	six.Key.Address = netip.MustParseAddr("2001:db8::1")
	six.Backends = append([]datapath.Backend(nil), six.Backends...)
	for i := range six.Backends {
		six.Backends[i].Address = network.Backends[i].IPv6
	}
	var engine datapath.Engine
	var prober *inward.Prober
	var noticed *arrivals.Arrivals
	inside := func(do func() error) {
		t.Helper()
		if err := replica.Do(do); err != nil {
			t.Fatal(err)
		}
	}
	inside(func() (err error) {
		if engine, err = tcx.Candidate.Open(datapath.Options{Interface: datapathtest.Interface, Name: "noticed"}); err != nil {
			return err
		}
		if prober, err = inward.Open(datapathtest.Interface); err != nil {
			return err
		}
		if noticed, err = arrivals.Open(datapathtest.Interface); err != nil {
			return err
		}
		_, err = datapath.Whole(engine.Set(t.Context(), []datapath.Service{four, six}))
		return err
	})
	t.Cleanup(func() {
		inside(engine.Remove)
		for _, end := range []func() error{engine.Close, prober.Close, noticed.Close} {
			if err := end(); err != nil {
				t.Error(err)
			}
		}
	})
	other := netip.MustParsePrefix("198.51.100.0/24")
	inside(func() error { return noticed.Watch(other) })
	for _, service := range []datapath.Service{four, six} {
		address := service.Key.Address
		prefix := netip.PrefixFrom(address, address.BitLen())
		t.Run(address.String(), func(t *testing.T) {
			if first, _ := noticed.Seen(prefix); !first.IsZero() {
				t.Error("seen before it was watched")
			}
			inside(func() error { return noticed.Watch(prefix) })
			inside(func() error {
				return prober.Probe(t.Context(), health.Target{Address: address, Port: service.Key.Port, Check: health.Check{Kind: health.TCP}})
			})
			if first, _ := noticed.Seen(prefix); !first.IsZero() {
				t.Errorf("a probe of this host was counted at %s", first)
			}
			request := func() (from, to time.Time) {
				from = time.Now()
				if _, err := (datapathtest.Client{Space: network.Client}).RequestOnce(service.Key); err != nil {
					t.Fatal(err)
				}
				return from, time.Now()
			}
			const slack = time.Millisecond // of reading two clocks
			from, to := request()
			first, last := noticed.Seen(prefix)
			if first.Before(from.Add(-slack)) || last.After(to.Add(slack)) || last.Before(first) {
				t.Errorf("packets from %s to %s, the client sent from %s to %s", first, last, from, to)
			}
			from, _ = request()
			again, last := noticed.Seen(prefix)
			if between := again.Sub(first).Abs(); between > slack || last.Before(from.Add(-slack)) {
				t.Errorf("the first packet moved by %s, the last came at %s and was sent after %s", between, last, from)
			}
			if seen, _ := noticed.Seen(other); !seen.IsZero() {
				t.Error("packets to another address were counted")
			}
			restarted := time.Now()
			inside(func() error { return noticed.Watch(prefix) })
			// The last acknowledgement of a closed connection may still arrive.
			if first, _ := noticed.Seen(prefix); !first.IsZero() && first.Before(restarted.Add(-slack)) {
				t.Errorf("restarted at %s, it still has a packet of %s", restarted, first)
			}
			noticed.Forget(prefix)
			request()
			if first, _ := noticed.Seen(prefix); !first.IsZero() {
				t.Error("still observed after Forget")
			}
		})
	}
}

func TestAMissingInterfaceIsAnError(t *testing.T) {
	privileged.Need(t)
	noticed, err := arrivals.Open("nowhere0")
	if err != nil {
		t.Fatal(err)
	}
	defer noticed.Close()
	if err := noticed.Watch(netip.MustParsePrefix("203.0.113.7/32")); err == nil || !strings.Contains(err.Error(), "find interface nowhere0") {
		t.Errorf("error %v", err)
	}
}
