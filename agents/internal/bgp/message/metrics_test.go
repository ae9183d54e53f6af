package message_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/exposition/expositiontest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// unconnected is a link whose reports go nowhere.
type unconnected struct{ agent.Link }

func (unconnected) Report(*agentv1.ReportRequest) {}

func TestTheMetricsPageShowsTheNewestReport(t *testing.T) {
	link := &agent.ObservedLink{Link: unconnected{}}
	page := func() string {
		answer := httptest.NewRecorder()
		message.Metrics(link).ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
		return answer.Body.String()
	}
	expositiontest.Lint(t, page())
	link.Report(&agentv1.ReportRequest{Bgp: &agentv1.BgpStatus{
		Sessions:      []*agentv1.BgpSession{{Peer: "10.0.0.1", State: "established"}, {Peer: "fe80::1%eth0", State: "active"}},
		Announcements: []*agentv1.Announcement{{Prefix: "203.0.113.7/32", State: "announced"}, {Prefix: "203.0.113.8/32", State: "withdrawn"}},
		Routes:        []*agentv1.KernelRoute{{Prefix: "203.0.113.7/32", NextHops: []*agentv1.NextHop{{}, {}}}},
	}})
	for _, line := range []string{
		`fairlead_bgp_session_up{peer="10.0.0.1"} 1`,
		`fairlead_bgp_session_up{peer="fe80::1%eth0"} 0`,
		`fairlead_bgp_announced{prefix="203.0.113.7/32",state="announced"} 1`,
		`fairlead_bgp_announced{prefix="203.0.113.8/32",state="withdrawn"} 0`,
		`fairlead_kernel_next_hops{prefix="203.0.113.7/32"} 2`,
	} {
		if !strings.Contains(page(), line+"\n") {
			t.Errorf("missing %s in:\n%s", line, page())
		}
	}
	expositiontest.Lint(t, page())
}
