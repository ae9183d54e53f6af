package load

import (
	"fmt"
	"testing"

	"fairlead.dev/agents/internal/session/serverstest"
)

// nginx uses OpenSSL, which stores sessions by id.
func TestEachKindOfSessionResumesAtNginx(t *testing.T) {
	for _, test := range []struct {
		kind            Resumption
		cache, tickets  string
		offers, resumes bool
	}{
		{PSK, "off", "on", true, true},
		{Ticket, "off", "on", true, true},
		{ID, "shared:sessions:1m", "off", true, true},
		{ID, "shared:sessions:1m", "on", true, true},
		{ID, "none", "off", true, false}, // it issues ids, but stores no sessions
		{ID, "off", "off", false, false},
		{Ticket, "off", "off", false, false},
	} {
		t.Run(fmt.Sprintf("%s with cache %s and tickets %s", test.kind, test.cache, test.tickets), func(t *testing.T) {
			server := serverstest.Nginx(t, fmt.Sprintf("ssl_session_cache %s; ssl_session_tickets %s;", test.cache, test.tickets))
			o := optionsFor("https://"+serverstest.ServerName+"/", server.Address)
			o.TLS = TLSOptions{Roots: serverstest.Roots(t), Resumption: test.kind}
			o.Backend = BackendName{}
			report := run(t, o)
			s := report.Sessions
			offered, resumed := uint64(0), uint64(0)
			if test.offers {
				offered = s.Returns
			}
			if test.resumes {
				resumed = s.Returns
			}
			if s.Returns < 20 || s.Offered != offered || s.Resumed != resumed {
				t.Errorf("%+v", s)
			}
			if report.Backends["nginx"] != report.Answered {
				t.Errorf("replies by the first line of the body: %v", report.Backends)
			}
		})
	}
}
