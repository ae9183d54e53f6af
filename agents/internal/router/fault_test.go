package router_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

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
	if got := told(t, driver); !slices.Equal(got, []string{"RoutesKept: No peer is left: 1 routes stay as they were until 12:01:10 UTC."}) {
		t.Errorf("when the last peer is lost: %q", got)
	}
	*now = now.Add(time.Minute)
	woken(t, driver)
	if got := told(t, driver); !slices.Equal(got, []string{"RoutesGivenUp: No peer came back within 1m0s: 1 routes are taken away."}) {
		t.Errorf("when nobody came back: %q", got)
	}
	if len(table.routes[one]) > 0 {
		t.Errorf("routed is %v", table.routes)
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
