package lab_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// announcement is the one reported by a balancer's speaker; nil before its first report.
func (l *testLab) announcement(balancer string) *agentv1.Announcement {
	l.t.Helper()
	status := l.page(balancer, "status")
	report := new(agentv1.ReportRequest)
	if err := protojson.Unmarshal(status, report); err != nil {
		l.t.Fatalf("the speaker's page: %v: %.200s", err, status)
	}
	if all := report.GetBgp().GetAnnouncements(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// page returns an HTTP page of a BGP member.
func (l *testLab) page(member, path string) []byte {
	l.t.Helper()
	body, err := l.findPage(member, path)
	if err != nil {
		l.t.Fatal(err)
	}
	return body
}

// findPage returns an HTTP page of an agent that may not serve it yet.
func (l *testLab) findPage(member, path string) ([]byte, error) {
	l.t.Helper()
	client := http.Client{Transport: &http.Transport{DialContext: l.space(member).Dial, DisableKeepAlives: true}, Timeout: 5 * time.Second}
	response, err := client.Get("http://127.0.0.1:9101/" + path)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

// waitForOffers waits until the router has so many routes: until each reflector advertises each balancer's
// route, one failure may remove a route that has no other source.
func (l *testLab) waitForOffers(most int) {
	l.t.Helper()
	l.waitFor(fmt.Sprintf("%d offers", most), func() bool {
		return strings.Count(string(l.page("router", "routes?prefix=203.0.113.1%2F32")), `"prefix"`) == most
	})
}

// waitForRoute waits until the router's kernel routes the service's address to these balancers.
func (l *testLab) waitForRoute(balancers ...string) {
	l.t.Helper()
	l.waitFor("a route by "+strings.Join(balancers, " "), func() bool {
		status := l.status()
		names := map[string]string{}
		for _, m := range status.Members {
			if m.Kind == "balancer" {
				names[m.Addresses[0]] = m.Name
			}
		}
		for _, route := range status.Routes {
			seen := map[string]bool{}
			for _, via := range route.Via {
				seen[names[via]] = true
			}
			all := len(seen) == len(balancers)
			for _, name := range balancers {
				all = all && seen[name]
			}
			if all {
				return true
			}
		}
		return false
	})
}

func (l *testLab) broken() (broken uint64) {
	for _, traffic := range l.status().Traffic {
		broken += traffic.Broken
	}
	return broken
}
