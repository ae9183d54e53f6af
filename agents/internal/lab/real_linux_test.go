package lab_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/lab/topologies"
)

// shipped is a topology without its name, which newTestLab sets.
func shipped(t *testing.T, name string) string {
	t.Helper()
	text, ok := topologies.Find(name)
	if !ok {
		t.Fatalf("no topology %s ships", name)
	}
	return strings.Replace(string(text), "\nname: "+name+"\n", "\n", 1)
}

func TestTheDemoCarriesTrafficWithTheRealBalancers(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "demo", shipped(t, "demo"))
	l.must("up", "--detach")
	l.waitForHops("router", "lb-1 lb-2")
	l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 3 })
	l.fault("kill lb-1")
	l.waitFor("another process", func() bool { return l.member("lb-1").Starts == 2 })
	l.waitForHops("router", "lb-1 lb-2")
	l.fault("add pod web")
	l.waitFor("answers of the new pod", func() bool { _, by := l.answered(); return by["web-4"] > 0 })
	l.fault("drain node-2")
	l.waitForHops("router", "lb-1")
	l.waitForAnswers(40)

	// A member that reuses a name starts without state, and receives changes.
	l.fault("undrain node-2")
	l.waitForHops("router", "lb-1 lb-2")
	l.fault("remove balancer lb-2")
	l.waitFor("end of lb-2", func() bool { return l.member("lb-2").Name == "" })
	l.fault("add balancer node-2")
	l.waitForHops("router", "lb-1 lb-2")
	l.fault("add pod web")
	l.waitFor("its config", func() bool { return l.balancerHas("lb-2", "web-5") })
	l.must("down")
	if left, err := filepath.Glob("/sys/fs/bpf/fairlead/" + lab.SpaceName(l.name, "*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestRoutedNetworksCarryEverythingWithTheRealBalancers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ engine, delivery string }{{"tcx", "nat"}, {"tcx", "tunnel"}, {"tcx", "gue"}, {"xdp", ""}, {"xdp", "gue"}, {"userspace", ""}} {
		t.Run(c.engine+" "+c.delivery, func(t *testing.T) {
			text := shipped(t, "routed")
			if c.delivery != "" { // otherwise the engine's default
				text = strings.ReplaceAll(text, "serve:", "delivery: "+c.delivery+", serve:")
			}
			l := newTestLab(t, "routed", text+"\nengine: "+c.engine+"\n")
			l.must("up", "--detach")
			l.waitForHops("router", "near far")
			l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 6 })
			l.waitFor("the engine in its status", func() bool { return l.statusContains("lb-1", `"engine":"`+c.engine+`"`) })
		})
	}
}

func TestAnOrdinaryUsersBalancersCarryTraffic(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"nftables", "userspace"} {
		t.Run(engine, func(t *testing.T) { carriesWithoutRights(t, engine) })
	}
}

func carriesWithoutRights(t *testing.T, engine string) {
	t.Helper()
	text := shipped(t, "demo")
	if engine != "nftables" { // the engine that auto picks
		text += "\nengine: " + engine + "\n"
	}
	l := newTestLab(t, "less", text)
	l.asNobody()
	l.must("up", "--detach")
	l.waitForHops("router", "lb-1 lb-2")
	l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 3 })
	// Other users can't enter its namespaces.
	l.waitFor("the engine in its status", func() bool {
		response := l.must("exec", "lb-1", "bash", "-c", `exec 3<>/dev/tcp/127.0.0.1/9100; printf 'GET /status HTTP/1.0\r\n\r\n' >&3; cat <&3`)
		return strings.Contains(strings.ReplaceAll(response, " ", ""), `"engine":"`+engine+`"`)
	})
}

// asNobody runs it as an ordinary user.
func (l *testLab) asNobody() {
	l.t.Helper()
	const nobody = 65534
	l.credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	for _, path := range []string{filepath.Dir(l.file), l.root} {
		if err := os.MkdirAll(path, 0o755); err != nil {
			l.t.Fatal(err)
		}
		if err := os.Chown(path, nobody, nobody); err != nil {
			l.t.Fatal(err)
		}
	}
}

// balancerHas reports whether a balancer's status has a backend.
func (l *testLab) balancerHas(name, backend string) bool {
	return l.statusContains(name, `"`+backend+`"`)
}

func (l *testLab) statusContains(name, text string) bool {
	client := http.Client{Transport: &http.Transport{DialContext: l.space(name).Dial, DisableKeepAlives: true}}
	response, err := client.Get("http://127.0.0.1:9100/status")
	if err != nil {
		return false
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return err == nil && strings.Contains(strings.ReplaceAll(string(body), " ", ""), text)
}
