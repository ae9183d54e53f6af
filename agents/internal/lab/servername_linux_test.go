package lab_test

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/lab"
)

const byServerName = `
families: [ipv4]
restart: 300ms
balancers: [{name: lb, count: 2}]
pods: [{name: shop, count: 3}]
services: [{name: shop, serve: tls, port: 443, zone: shop.example, check: {interval: 200ms, timeout: 200ms, rise: 1, fall: 2}}]
clients:
  - name: client
    traffic:
      - {service: shop, connections: 6, perSecond: 60}
      - {service: shop, connections: 6, perSecond: 60, requestsPerConnection: 1}
`

// Each name leads to its own pod through both balancers, also after one restarts. An unknown name is rejected
// and counted.
func TestEachServerNameLeadsToItsOwnPod(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "sni", byServerName)
	l.must("up", "--detach")
	l.waitForHops("router", "lb-1 lb-2")
	l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 3 })
	// Some names were requested before their pods listened.
	l.waitFor("200 answers and no failure between", l.calm(200))
	if got := l.shop(); got.Broken != 0 {
		t.Fatalf("before anything happened: %+v", got)
	}

	// While it is down its name is refused, and no other pod replies to it.
	l.fault("kill shop-2")
	l.waitFor("another process", func() bool { return l.member("shop-2").Starts == 2 && l.member("shop-2").State == "active" })
	_, before := l.answered()
	l.waitFor("answers of it", func() bool { _, by := l.answered(); return by["shop-2"] > before["shop-2"]+20 })
	l.waitFor("200 answers and no failure between", l.calm(200))

	for _, name := range []string{"shop-4.shop.example", "shop-2.shop.example.com", ""} {
		if err := l.handshake(name); err == nil || !strings.Contains(err.Error(), "unrecognized name") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := l.handshake("SHOP-2.shop.example"); err != nil {
		t.Error(err)
	}
	l.waitFor("counted refusals", func() bool {
		return l.balancerCounts("lb-1", "unknown_server_name") || l.balancerCounts("lb-2", "unknown_server_name")
	})

	// Connections of a removed pod stay for a while, and its name takes no new ones.
	l.fault("remove pod shop-3")
	l.waitFor("its name to be refused", func() bool { return l.handshake("shop-3.shop.example") != nil })
	_, before = l.answered()
	l.waitFor("answers of it", func() bool { _, by := l.answered(); return by["shop-3"] > before["shop-3"]+20 })
}

func (l *testLab) shop() (counts lab.TrafficStatus) {
	l.t.Helper()
	for _, traffic := range l.status().Traffic {
		counts = traffic
	}
	return counts
}

// calm reports whether so many replies came since the last failure or break.
func (l *testLab) calm(answers uint64) func() bool {
	last := l.shop()
	return func() bool {
		now := l.shop()
		if now.Failed != last.Failed || now.Broken != last.Broken {
			last = now
		}
		return now.Requests >= last.Requests+answers
	}
}

// handshake does one TLS handshake with the service from the client.
func (l *testLab) handshake(name string) error {
	conn, err := l.space("client").Dial(l.t.Context(), "tcp", net.JoinHostPort("203.0.113.1", "443"))
	if err != nil {
		return err
	}
	defer conn.Close()
	return tls.Client(conn, &tls.Config{ServerName: name, InsecureSkipVerify: true}).HandshakeContext(l.t.Context())
}

// balancerCounts reports whether a balancer's metrics have drops for a reason.
func (l *testLab) balancerCounts(name, reason string) bool {
	l.t.Helper()
	client := http.Client{Transport: &http.Transport{DialContext: l.space(name).Dial, DisableKeepAlives: true}}
	response, err := client.Get("http://127.0.0.1:9100/metrics")
	if err != nil {
		return false
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(body)) {
		if strings.Contains(line, reason) && !strings.HasSuffix(strings.TrimSpace(line), " 0") {
			return true
		}
	}
	return false
}
