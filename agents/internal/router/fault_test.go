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

// told are the events since it was last asked, as a report has them.
func told(t *testing.T, driver *router.Driver) (events []string) {
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

func TestThatNobodyIsLeftIsToldAndThatRoutesAreGivenUp(t *testing.T) {
	driver, engine, table, now := begin(t, map[netip.Prefix][]netip.Addr{})
	engine.Hear(one, []netip.Addr{a}, peer)
	woken(t, driver)
	*now = now.Add(10 * time.Second)
	woken(t, driver)
	if got := told(t, driver); len(got) > 0 {
		t.Errorf("while all is well: %q", got)
	}
	engine.Hear(one, nil)
	woken(t, driver)
	if got := told(t, driver); !slices.Equal(got, []string{"RoutesKept: No peer is left: routes stay as they were until 12:01:10 UTC, 1 of them."}) {
		t.Errorf("when the last peer is lost: %q", got)
	}
	*now = now.Add(time.Minute)
	woken(t, driver)
	if got := told(t, driver); !slices.Equal(got, []string{"RoutesGivenUp: No peer came back within 1m0s: routes are taken away, 1 of them."}) {
		t.Errorf("when nobody came back: %q", got)
	}
	if len(table.routes[one]) > 0 {
		t.Errorf("routed is %v", table.routes)
	}
}

func TestThatRoutesWereTakenOverIsToldOnce(t *testing.T) {
	driver, _, _, _ := begin(t, map[netip.Prefix][]netip.Addr{one: {a}, two: {a, b}})
	if got := told(t, driver); !slices.Equal(got, []string{"RoutesTakenOver: Routes of the process before are taken over: 2. Traffic went on by them."}) {
		t.Errorf("at first: %q", got)
	}
	_, err := driver.Set(t.Context(), router.Desired{
		On: true, BGP: bgp.Desired{AS: 65021, RouterID: peer}, Keeps: time.Minute, Settles: 10 * time.Second, Table: fib.Options{Metric: 30},
	})
	must(t, err)
	if got := told(t, driver); len(got) > 0 {
		t.Errorf("when its own are: %q", got)
	}
}

func TestARouteThatTheKernelDoesNotUseIsToldAndIsNone(t *testing.T) {
	driver, engine, table, _ := begin(t, map[netip.Prefix][]netip.Addr{})
	engine.Hear(one, []netip.Addr{a}, peer)
	engine.Hear(two, []netip.Addr{a}, peer)
	woken(t, driver)
	said := "Traffic to 203.0.113.1/32 goes by a route of protocol static with metric 0 via 10.0.0.77 dev eth0, " +
		"which the kernel prefers to the route that peers offer: balancers get none of it from this router. Take that away, or give it a metric above 0."
	table.rivals = map[netip.Prefix]*fib.Rival{one: {Protocol: "static", Via: netip.MustParseAddr("10.0.0.77"), Link: "eth0"}}
	if got := told(t, driver); !slices.Equal(got, []string{"RouteShadowed: " + said}) {
		t.Errorf("told is %q", got)
	}
	observed, err := driver.Observe(t.Context())
	if err != nil || !slices.Equal(observed.Warnings, []string{said}) || len(observed.Routes) != 1 || observed.Routes[0].Prefix != two {
		t.Errorf("observed is %+v, %v", observed, err)
	}
	if got := told(t, driver); len(got) > 0 {
		t.Errorf("told again is %q", got)
	}
	table.rivals[one].Local = true
	if got := told(t, driver); len(got) != 1 || !strings.Contains(got[0], "goes by an address of this host, on eth0, which") || !strings.HasSuffix(got[0], ". Take that away.") {
		t.Errorf("of another rival %q", got)
	}
	table.rivals = nil
	if got := told(t, driver); !slices.Equal(got, []string{"RouteUsed: Traffic to 203.0.113.1/32 goes by the route that peers offer again."}) {
		t.Errorf("back is %q", got)
	}
	if observed, err = driver.Observe(t.Context()); err != nil || len(observed.Warnings) > 0 || len(observed.Routes) != 2 {
		t.Errorf("observed is %+v, %v", observed, err)
	}
}

// A hop of a link that is down fails the write of a route whose other hops are well.
func TestARouteThatIsHalfWrittenIsKeptWhenPeersAreLost(t *testing.T) {
	driver, engine, table, now := begin(t, map[netip.Prefix][]netip.Addr{})
	table.lame = b
	engine.Hear(one, []netip.Addr{a, b}, peer)
	woken(t, driver)
	*now = now.Add(10 * time.Second)
	woken(t, driver)
	if got := told(t, driver); len(got) != 1 || !strings.HasPrefix(got[0], "RouteNotWritten: A route is not as peers offer it: ") {
		t.Errorf("told is %q", got)
	}
	engine.Hear(one, nil)
	woken(t, driver)
	if got := table.routes[one]; !slices.Equal(got, []netip.Addr{a}) {
		t.Errorf("without peers it goes by %v", got)
	}
}

func TestALinkThatTakesAThousandRoutesIsAFewEvents(t *testing.T) {
	driver, engine, table, _ := begin(t, map[netip.Prefix][]netip.Addr{})
	table.lame = a
	for i := range 1000 {
		prefix := netip.PrefixFrom(netip.AddrFrom4([4]byte{203, 0, byte(112 + i/256), byte(i)}), 32)
		engine.Hear(prefix, []netip.Addr{a}, peer)
	}
	woken(t, driver)
	if got := told(t, driver); len(got) != 11 || !strings.Contains(got[10], "More routes") {
		t.Errorf("%d events, the last %q", len(got), got[len(got)-1])
	}
}
