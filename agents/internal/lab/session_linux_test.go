package lab_test

import (
	"strings"
	"testing"

	"fairlead.dev/agents/internal/lab"
)

const bySession = `
engine: tcx
restart: 300ms
balancers: [{name: lb, count: 2}]
pods: [{name: shop, count: 3}]
services: [{name: shop, serve: tls, port: 443, session: true, check: {interval: 200ms, timeout: 200ms, rise: 1, fall: 2}}]
clients:
  - name: client
    traffic: [{service: shop, connections: 8, perSecond: 80, requestsPerConnection: 1}]
`

// Every client resumes its session at the pod that has it, also while an agent next to the servers is
// killed.
func TestClientsReturnToTheirPodBySession(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "ses", bySession)
	l.must("up", "--detach")
	l.waitForHops("router", "lb-1 lb-2")
	var last lab.TrafficStatus
	all := func(returns uint64) func() bool {
		last = l.shop()
		return func() bool {
			now := l.shop()
			if now.Failed != last.Failed || now.Broken != last.Broken || now.Returns-last.Returns != now.Resumed-last.Resumed || now.Returns-last.Returns != now.Home-last.Home {
				last = now // such as while names of tickets are learned
			}
			return now.Returns >= last.Returns+returns
		}
	}
	l.waitFor("200 returns, all resumed at their pod", all(200))
	before := l.shop()
	l.fault("kill node-1.backend")
	l.waitFor("another process", func() bool { return l.member("node-1.backend").Starts == 2 })
	l.waitFor("200 returns, all resumed at their pod", all(200))
	if now := l.shop(); now.Broken != before.Broken || now.Failed != before.Failed || now.Home-before.Home != now.Returns-before.Returns {
		t.Errorf("while an agent was away: %+v, before %+v", now, before)
	}
	if out := l.must("status"); !strings.Contains(out, "client returned to shop ") {
		t.Errorf("the status is\n%s", out)
	}
}
