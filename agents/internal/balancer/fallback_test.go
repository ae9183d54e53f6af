package balancer

import (
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/proxied"
)

// A change between the engine and the proxy ends connections, so each one waits.
func TestTheProxyBeginsAndEndsOnlyAfterAWhile(t *testing.T) {
	began := time.Unix(1_800_000_000, 0)
	type step struct {
		after time.Duration // since the step before
		takes bool
		want  bool
		again time.Duration
	}
	for name, c := range map[string]struct {
		start fallback
		steps []step
	}{
		"no backend ever takes connections": {steps: []step{
			{0, false, false, proxyFirstAfter}, {proxyFirstAfter - 1, false, false, 1}, {1, false, true, 0}, {time.Hour, false, true, 0},
		}},
		"backends' agents start a moment later": {steps: []step{
			{0, false, false, proxyFirstAfter}, {time.Second, true, false, 0}, {time.Hour, true, false, 0},
		}},
		"all agents are updated": {steps: []step{
			{0, true, false, 0}, {time.Hour, false, false, proxyAfter}, {proxyAfter - 1, false, false, 1}, {1, true, false, 0}, {1, false, false, proxyAfter},
		}},
		"backends lose their agents": {steps: []step{
			{0, true, false, 0}, {time.Hour, false, false, proxyAfter}, {proxyAfter, false, true, 0},
		}},
		"one takes connections again": {fallback{proxied: true}, []step{
			{0, false, true, 0}, {time.Hour, true, true, proxyEndsAfter}, {proxyEndsAfter / 2, true, true, proxyEndsAfter / 2},
			{1, false, true, 0}, {1, true, true, proxyEndsAfter}, {proxyEndsAfter, true, false, 0}, {1, false, false, proxyAfter},
		}},
		"the proxy can't listen": {fallback{refused: "the port is taken", lacking: began.Add(-time.Hour), retries: began.Add(proxyRetryAfter)}, []step{
			{0, false, false, proxyRetryAfter}, {proxyRetryAfter - 1, false, false, 1}, {1, false, true, 0},
		}},
		"a backend takes connections after the proxy couldn't listen": {fallback{refused: "the port is taken", lacking: began.Add(-time.Hour), retries: began.Add(proxyRetryAfter)}, []step{
			{0, false, false, proxyRetryAfter}, {1, true, false, 0}, {1, false, false, proxyAfter},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			one, now := c.start, began
			for i, step := range c.steps {
				now = now.Add(step.after)
				if got, again := one.next(step.takes, now); got != step.want || again != step.again {
					t.Fatalf("step %d: by the proxy %t, again in %s; want %t and %s", i, got, again, step.want, step.again)
				}
			}
		})
	}
}

func TestOnlyPossibleOrdersOfFallbacksAreParsed(t *testing.T) {
	for _, c := range []struct {
		spec   []string
		proxy  bool
		passes bool
	}{
		{nil, false, true}, {[]string{"plain"}, false, true}, {[]string{"proxy", "plain"}, true, true},
		{[]string{"proxy"}, false, false}, {[]string{"plain", "proxy"}, false, false}, {[]string{"nat", "plain"}, false, false},
	} {
		got, err := parseFallbacks(c.spec)
		if (err == nil) != c.passes || c.passes && (&Session{Fallbacks: got}).mayProxy() != c.proxy {
			t.Errorf("%q: %q, %v", c.spec, got, err)
		}
	}
}

// Backend a has the address 10.0.0.1, and b 10.0.0.2.
func TestTheProxyReturnsClientsByManagedAndLearnedNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		observed := &sync.Map{}
		observed.Store(byte(1), names.Name{9})
		observed.Store(byte(2), ticketName("a", 1)) // b has a key of a
		l := probed(observed)
		defer l.close()
		spec := desired(t, config(1, bySession(managed)))
		service := &spec.Services[0]
		l.set(spec.Services)
		p := &placing{learner: l}
		want := map[names.Name]string{ticketName("a", 1): "a", ticketName("a", 2): "a", ticketName("b", 1): "b", ticketName("b", 2): "b"}
		if got := p.tableOf(service, &service.Wanted, time.Now()); !maps.Equal(got.Names, want) {
			t.Errorf("before a probe: %v", got.Names)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		want[names.Name{9}] = "a"
		if got := p.tableOf(service, &service.Wanted, time.Now()); !maps.Equal(got.Names, want) || len(got.Former) > 0 {
			t.Errorf("after one: %v, former %v", got.Names, got.Former)
		}
	})
}

// Otherwise servers would encrypt with names that the proxy doesn't have yet.
func TestAReplicaWhoseProxyHasTheManagedNamesReportsIt(t *testing.T) {
	l := probed(&sync.Map{})
	defer l.close()
	spec := desired(t, config(1, bySession(managed)))
	service := &spec.Services[0]
	key := service.Wanted.Key
	one := &fallback{table: proxied.NewTable(nil)}
	p := &placing{learner: l, fallbacks: map[datapath.Key]*fallback{key: one}}
	check := func(when string, want bool) {
		t.Helper()
		if got := p.hasNames(service); got != want {
			t.Errorf("%s: %t, want %t", when, got, want)
		}
	}
	check("without a proxy", false)
	one.proxied = true
	check("before it has names", false)
	one.table.Set(p.tableOf(service, &service.Wanted, time.Now()))
	check("with all names", true)
	next := service.Session.Backends["b"]
	next.Names = append([]names.Name{{7}}, next.Names...)
	service.Session.Backends["b"] = next
	check("before it has the next name", false)
	service.Session.Managed = false
	check("with learned names", false)
}
