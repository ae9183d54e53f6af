package balancer

import (
	"bytes"
	"crypto/tls"
	"encoding/hex"
	"net/http/httptest"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Keys are in the config only: not in the log, the pages, or the report.
func TestKeysAreNeverShown(t *testing.T) {
	l := newSessionLab(t, 0)
	l.start(t)
	l.learned(t, 3)
	link := &agent.ObservedLink{Link: discarding{}}
	_, observed := l.observe(t)
	report := &agentv1.ReportRequest{}
	if err := l.act(func() error { NewRole(l.driver).Fill(observed, report); return nil }); err != nil {
		t.Fatal(err)
	}
	link.Report(report)
	shown := l.log.String()
	for path, page := range l.driver.Pages(link) {
		recorder := httptest.NewRecorder()
		page.ServeHTTP(recorder, httptest.NewRequest("GET", path, nil))
		if recorder.Body.Len() == 0 {
			t.Errorf("%s is empty", path)
		}
		shown += recorder.Body.String()
	}
	l.config.GetBalancer().GetServices()[0].GetSession().GetKeys().Previous = secret[:63]
	invalid := rejection(l.config)
	shown += invalid
	for _, part := range []string{string(secret[:8]), hex.EncodeToString(secret[:8]), "MDEyMzQ1Njc4"} { // as text, hex and base64
		if invalid == "" || strings.Contains(shown, part) {
			t.Errorf("%q, or %q is shown in %s", invalid, part, shown)
		}
	}
	if !strings.Contains(shown, "fairlead_load_balancer_session_hellos_per_second") {
		t.Error("the page of metrics lacks hellos")
	}
}

// discarding is a link without a control plane.
type discarding struct{ agent.Link }

func (discarding) Report(*agentv1.ReportRequest) {}

// A replica that gets new keys first lets clients begin as before: the agents next to the backends reject
// cookies of keys that they don't have yet.
func TestClientsBeginWhileOnlyTheReplicaHasNewKeys(t *testing.T) {
	l := newSessionLab(t, 0)
	l.start(t)
	l.learned(t, 3)
	next := bytes.Repeat([]byte{7}, len(secret))
	l.config.GetBalancer().GetServices()[0].GetSession().Keys = &agentv1.SessionKeys{Current: next, Previous: secret}
	l.set(t)
	l.returns(t, tls.VersionTLS13, 3, 2)
}
