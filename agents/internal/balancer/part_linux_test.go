package balancer

import (
	"crypto/tls"
	"net"
	"strings"
	"testing"
	"time"
)

func TestClientsReturnToBackendsBehindTheProxyAndToTheOthers(t *testing.T) {
	for _, delivery := range []string{"direct", "tunnel", "gue"} {
		for family, address := range labAddresses {
			t.Run(delivery+" "+address.String(), func(t *testing.T) {
				l, _ := mixedLab(t, family, delivery)
				l.startReady(t)
				l.wantLacking(t, "b", "If that lasts for 30 seconds, a proxy carries them")
				if got := l.reached(t, 6); got["a"] != 6 {
					t.Fatalf("before the proxy: %v", got)
				}
				l.passForBackends(t, proxyFirstAfter)
				l.wantLacking(t, "b", "a proxy carries its connections")
				l.wantLacking(t, "a", "")
				l.learned(t, 3)
				l.returns(t, tls.VersionTLS13, 12, 3) // hellos of two packets, with post-quantum keys
				l.returns(t, tls.VersionTLS12, 12, 3)
				if delivery != "direct" {
					return
				}
				for range 4 {
					l.returnsByIDWithin(t, time.Second)
				}
				counts := l.driver.figures.sessions[l.key]
				l.observe(t)
				if now := l.driver.figures.sessions[l.key].Since(counts); now.ByKey.Home < 36 || now.ByTicket.Home < 36 || now.ByID.Home < 4 || now.ByKey.Unknown+now.ByTicket.Unknown > 0 {
					t.Errorf("counted %+v", now)
				}
			})
		}
	}
}

func TestNewClientsSpreadByWeightAlsoBehindTheProxy(t *testing.T) {
	l, _ := mixedLab(t, 0, "direct")
	l.backend("a").Weight, l.backend("b").Weight, l.backend("c").Weight = 128, 256, 128
	l.startReady(t)
	l.passForBackends(t, proxyFirstAfter)
	l.wantLacking(t, "c", "a proxy carries its connections")
	const clients = 160
	if got := l.reached(t, clients); got["a"] < clients/8 || got["b"] < clients*3/8 || got["c"] < clients/8 {
		t.Errorf("%d clients went to %v", clients, got)
	}
	status, _ := l.observe(t)
	if one := l.goTo(t, "b"); one == nil || len(status.GetBackends()) != 3 {
		t.Errorf("reported %v", status)
	}
	status, _ = l.observe(t)
	for _, one := range status.GetBackends() {
		if one.GetId() == "b" && one.GetLiveConnections() < 1 {
			t.Errorf("connections by the proxy aren't reported: %v", one)
		}
	}
}

// What began before the proxy stays, and what began by it stays for a while after.
func TestABackendChangesBetweenTheProxyAndHandOffs(t *testing.T) {
	l, restore := mixedLab(t, 0, "direct")
	restoreNow := l.backend("b")
	l.startReady(t)
	direct := l.goTo(t, "a")
	l.passForBackends(t, proxyFirstAfter)
	l.learned(t, 3)
	proxied := l.goTo(t, "b")
	restore(t)
	l.wantLacking(t, "b", "")
	stay(t, "while the proxy ends", []*lasting{direct, proxied})
	l.returns(t, tls.VersionTLS13, 8, 2)
	again := l.goTo(t, "b")
	l.passForBackends(t, proxyEndsAfter)
	stay(t, "after the proxy ended for b", []*lasting{direct, again})
	if _, err := proxied.get(); err == nil {
		t.Error("the proxy still has a connection of b")
	}
	l.returns(t, tls.VersionTLS13, 8, 2)
	restoreNow.Session = nil
	l.set(t)
	l.wantLacking(t, "b", "30 seconds")
	l.passForBackends(t, proxyFirstAfter)
	l.wantLacking(t, "b", "a proxy carries its connections")
	stay(t, "after b went behind the proxy again", []*lasting{direct, again})
	l.returns(t, tls.VersionTLS13, 8, 2)
	if log := l.log.String(); strings.Count(log, "event=BackendByProxy") != 3 || strings.Count(log, "event=BackendBySession") != 1 {
		t.Error("b and c began by the proxy, and b ended and began again: other events")
	}
}

func TestAnAgentThatStartsContinuesWithBackendsBehindTheProxy(t *testing.T) {
	l, _ := mixedLab(t, 0, "direct")
	l.startReady(t)
	l.passForBackends(t, proxyFirstAfter)
	l.learned(t, 3)
	direct, proxied := l.goTo(t, "a"), l.goTo(t, "b")
	l.close(t)
	l.startReady(t)
	l.wantLacking(t, "b", "a proxy carries its connections")
	stay(t, "after the restart", []*lasting{direct})
	if _, err := proxied.get(); err == nil {
		t.Error("the proxy's connection stayed")
	}
	l.learned(t, 3)
	l.returns(t, tls.VersionTLS13, 8, 2)

	l.config.Balancer = nil
	if err := l.act(func() error {
		_, err := l.driver.Set(t.Context(), Desired{Revision: 99})
		if _, missing := net.InterfaceByName("fl-proxy-out"); missing == nil {
			t.Error("the interfaces are still there")
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func TestABackendWaitsWhileTheProxyCantListen(t *testing.T) {
	l, _ := mixedLab(t, 0, "direct")
	taken := l.takePort(t)
	l.startReady(t)
	l.passForBackends(t, proxyFirstAfter)
	l.wantLacking(t, "b", "so it gets no new connections. The proxy can't carry them: ")
	if got := l.reached(t, 6); got["a"] != 6 {
		t.Errorf("without the proxy: %v", got)
	}
	if err := taken.Close(); err != nil {
		t.Fatal(err)
	}
	l.passForBackends(t, proxyRetryAfter)
	l.wantLacking(t, "b", "a proxy carries its connections")
	l.learned(t, 3)
	l.returns(t, tls.VersionTLS13, 8, 2)
}

// The kernel resets connections of the former process, and new ones until the next process runs.
func TestABackendBehindTheProxyIsResetWhileNoAgentRuns(t *testing.T) {
	l, _ := mixedLab(t, 0, "direct")
	l.startReady(t)
	l.passForBackends(t, proxyFirstAfter)
	l.learned(t, 3)
	var returning []*tls.Config // of b; one drops its ticket when it is reset
	for n := 0; len(returning) < 2; n++ {
		one := client(tls.VersionTLS13)
		if first, _ := l.visit(t, one); first == "b" {
			returning = append(returning, one)
		} else if n == mostClients {
			t.Fatal("no client reached b")
		}
	}
	direct := l.goTo(t, "a")
	l.close(t)
	began := time.Now()
	if one, err := l.connect(returning[0]); err == nil || time.Since(began) > labPatience/4 {
		t.Errorf("after %s: %v, %v", time.Since(began), one, err)
	}
	stay(t, "without an agent", []*lasting{direct})
	l.startReady(t)
	l.learned(t, 3)
	if again, resumed := l.visit(t, returning[1]); again != "b" || !resumed {
		t.Errorf("a client of b returned to %s, resumed: %t", again, resumed)
	}
}

// A proxy that carries the whole service continues for those that still need it, and their connections stay.
func TestTheProxyOfAServiceContinuesForTheBackendsThatNeedIt(t *testing.T) {
	l, _ := mixedLab(t, 0, "direct")
	session := l.backend("a").Session
	l.backend("a").Session = nil
	l.start(t)
	l.pass(t, proxyFirstAfter)
	l.wantFallback(t, "proxy", "")
	l.learned(t, 3)
	proxied := l.goTo(t, "b")
	l.backend("a").Session = session
	l.set(t)
	l.wantFallback(t, "proxy", "takes connections by TLS session again")
	l.pass(t, proxyEndsAfter)
	l.wantLacking(t, "b", "a proxy carries its connections")
	l.wantLacking(t, "a", "")
	stay(t, "after the whole service was by proxy", []*lasting{proxied})
	l.learned(t, 3)
	l.returns(t, tls.VersionTLS13, 8, 2)
}

// An agent that is updated next to the last backend that takes hand-offs must not end connections by the proxy.
func TestTheProxyContinuesWithoutAnyOtherBackend(t *testing.T) {
	l, _ := mixedLab(t, 0, "direct")
	l.startReady(t)
	l.passForBackends(t, proxyFirstAfter)
	l.learned(t, 3)
	all := []*lasting{l.goTo(t, "a"), l.goTo(t, "b")}
	session := l.backend("a").Session
	l.backend("a").Session = nil
	l.set(t)
	l.wantFallback(t, "proxy", "Until then a proxy carries the connections")
	if got := l.reached(t, 6); got["a"] != 0 {
		t.Errorf("a can't take connections: %v", got)
	}
	l.passForBackends(t, proxyFirstAfter)
	l.wantFallback(t, "proxy", "Until then a proxy carries the connections")
	l.learned(t, 3)
	l.returns(t, tls.VersionTLS13, 12, 2)
	all = append(all, l.goTo(t, "a"))
	stay(t, "without hand-offs", all)
	l.backend("a").Session = session
	l.set(t)
	l.wantLacking(t, "a", "")
	stay(t, "with hand-offs again", all)
	l.returns(t, tls.VersionTLS13, 8, 2)
}
