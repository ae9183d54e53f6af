package adaptive

import (
	"strings"
	"testing"
)

func isLocal(v visits) bool { return v.Failed == 0 && v.Served["n1"] > 3 && len(v.Served) == 1 }

func TestConnectionsStayAtTheirNodeUntilItIsBusy(t *testing.T) {
	first := newLab(t, 3)[0]
	first.visitUntil("few are served here", shop, few, isLocal)
	first.visitUntil("many are served by all", shop, many, func(v visits) bool {
		return v.Failed == 0 && v.share("n1") > 0.2 && v.share("n2") > 0.2 && v.share("n3") > 0.2
	})
	first.visitUntil("few are served here again", shop, few, isLocal)
	first.visitUntil("standby isn't used while others can serve", backup, many, func(v visits) bool {
		return v.Failed == 0 && v.share("n1") > 0.3 && v.share("n2") > 0.3 && v.Served["n3"] == 0
	})
}

func TestConnectionsToARemovedBackendEndIfTheExposureRequestsIt(t *testing.T) {
	first := newLab(t, 1)[0]
	first.stop()
	driver := first.newDriver()
	t.Cleanup(func() { must(t, driver.Close()) })
	for _, test := range []struct {
		ends bool
		want string
	}{{false, "i/o timeout"}, {true, "connection abort"}} {
		config := unchecked(configOf(first, []*labNode{first}))
		service := config.GetAdaptive().GetServices()[0]
		service.EndsConnections = test.ends
		set := func() {
			desired, err := ParseDesired(config)
			must(t, err)
			_, err = driver.Set(t.Context(), desired)
			must(t, err)
		}
		set()
		kill, ask := first.startReporting(first.cgroup, holderPart, shop)
		service.Backends = nil
		set()
		if got := ask(""); !strings.Contains(got, test.want) {
			t.Errorf("ends %v: %q, want %q", test.ends, got, test.want)
		}
		kill()
	}
}
