package router_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/fib"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/router"
)

// newEvents returns the events since its last call, in the form of a report.
func newEvents(t *testing.T, driver *router.Driver) (events []string) {
	t.Helper()
	observed, err := driver.Observe(t.Context())
	must(t, err)
	report := new(agentv1.ReportRequest)
	router.NewRole(driver, "lo").Fill(observed, report)
	for _, event := range report.GetEvents() {
		events = append(events, event.GetReason()+": "+event.GetMessage())
	}
	return events
}

func TestLostPeersAndRemovedRoutesAreReported(t *testing.T) {
	driver, engine, table, now := begin(t, map[netip.Prefix][]netip.Addr{})
	engine.SetHops(one, []netip.Addr{a}, peer)
	woken(t, driver)
	*now = now.Add(10 * time.Second)
	woken(t, driver)
	if got := newEvents(t, driver); len(got) > 0 {
		t.Errorf("before the loss: %q", got)
	}
	engine.SetHops(one, nil)
	woken(t, driver)
	if got := newEvents(t, driver); !slices.Equal(got, []string{"RoutesKept: All peers are lost: 1 routes are kept until 12:01:10 UTC."}) {
		t.Errorf("after the loss: %q", got)
	}
	*now = now.Add(time.Minute)
	woken(t, driver)
	if got := newEvents(t, driver); !slices.Equal(got, []string{"RoutesGivenUp: No peer came back within 1m0s: 1 routes are removed."}) {
		t.Errorf("after the keep time: %q", got)
	}
	if len(table.routes[one]) > 0 {
		t.Errorf("routes: %v", table.routes)
	}
}

func TestAdoptedRoutesAreReportedOnce(t *testing.T) {
	driver, _, _, _ := begin(t, map[netip.Prefix][]netip.Addr{one: {a}, two: {a, b}})
	if got := newEvents(t, driver); !slices.Equal(got, []string{"RoutesTakenOver: Adopted 2 routes of the previous process. Traffic was not interrupted."}) {
		t.Errorf("first: %q", got)
	}
	_, err := driver.Set(t.Context(), router.Desired{
		On: true, BGP: bgp.Desired{AS: 65021, RouterID: peer}, Keeps: time.Minute, Settles: 10 * time.Second, Table: fib.Options{Metric: 30},
	})
	must(t, err)
	if got := newEvents(t, driver); len(got) > 0 {
		t.Errorf("own routes: %q", got)
	}
}

func TestAShadowedRouteIsReportedAndNotCounted(t *testing.T) {
	driver, engine, table, _ := begin(t, map[netip.Prefix][]netip.Addr{})
	engine.SetHops(one, []netip.Addr{a}, peer)
	engine.SetHops(two, []netip.Addr{a}, peer)
	woken(t, driver)
	warning := "Traffic to 203.0.113.1/32 uses a route of protocol static with metric 0 via 10.0.0.77 dev eth0, " +
		"which the kernel prefers to the route of the BGP peers: this router sends none of it to the balancers. Remove that route, or set its metric above 0."
	table.rivals = map[netip.Prefix]*fib.Rival{one: {Protocol: "static", Via: netip.MustParseAddr("10.0.0.77"), Link: "eth0"}}
	if got := newEvents(t, driver); !slices.Equal(got, []string{"RouteShadowed: " + warning}) {
		t.Errorf("got %q", got)
	}
	observed, err := driver.Observe(t.Context())
	if err != nil || !slices.Equal(observed.Warnings, []string{warning}) || len(observed.Routes) != 1 || observed.Routes[0].Prefix != two {
		t.Errorf("observed is %+v, %v", observed, err)
	}
	if got := newEvents(t, driver); len(got) > 0 {
		t.Errorf("reported again: %q", got)
	}
	table.rivals[one].Local = true
	if got := newEvents(t, driver); len(got) != 1 || !strings.Contains(got[0], "uses an address of this host, on eth0, which") || !strings.HasSuffix(got[0], ". Remove it.") {
		t.Errorf("another preferred route: %q", got)
	}
	table.rivals = nil
	if got := newEvents(t, driver); !slices.Equal(got, []string{"RouteUsed: Traffic to 203.0.113.1/32 uses the route of the BGP peers again."}) {
		t.Errorf("after the removal: %q", got)
	}
	if observed, err = driver.Observe(t.Context()); err != nil || len(observed.Warnings) > 0 || len(observed.Routes) != 2 {
		t.Errorf("observed is %+v, %v", observed, err)
	}
}

// A next hop on a link that is down makes the write fail, although the other next hops work.
func TestAPartlyWrittenRouteIsKeptWhenPeersAreLost(t *testing.T) {
	driver, engine, table, now := begin(t, map[netip.Prefix][]netip.Addr{})
	table.lame = b
	engine.SetHops(one, []netip.Addr{a, b}, peer)
	woken(t, driver)
	*now = now.Add(10 * time.Second)
	woken(t, driver)
	if got := newEvents(t, driver); len(got) != 1 || !strings.HasPrefix(got[0], "RouteNotWritten: A route could not be installed completely: ") {
		t.Errorf("got %q", got)
	}
	engine.SetHops(one, nil)
	woken(t, driver)
	if got := table.routes[one]; !slices.Equal(got, []netip.Addr{a}) {
		t.Errorf("without peers, the next hops are %v", got)
	}
}

func TestALinkDownWithAThousandRoutesCausesFewEvents(t *testing.T) {
	driver, engine, table, _ := begin(t, map[netip.Prefix][]netip.Addr{})
	table.lame = a
	for i := range 1000 {
		prefix := netip.PrefixFrom(netip.AddrFrom4([4]byte{203, 0, byte(112 + i/256), byte(i)}), 32)
		engine.SetHops(prefix, []netip.Addr{a}, peer)
	}
	woken(t, driver)
	if got := newEvents(t, driver); len(got) != 11 || !strings.Contains(got[10], "More routes") {
		t.Errorf("%d events, the last %q", len(got), got[len(got)-1])
	}
}
