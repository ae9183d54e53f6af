package beside_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fairlead.dev/agents/internal/speaker/beside"
)

// page answers with what is stored for a path.
type page struct {
	status          atomic.Int32
	addresses, said atomic.Pointer[string]
}

func newPage(t *testing.T) (*page, *beside.Balancer) {
	p := &page{}
	p.status.Store(http.StatusOK)
	p.addresses.Store(new(string))
	p.said.Store(new(string))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(int(p.status.Load()))
		fmt.Fprint(w, *map[string]*string{"/addresses": p.addresses.Load(), "/status": p.said.Load()}[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	return p, beside.New(server.URL + "/")
}

func TestOnlyWhatIsCarriedCounts(t *testing.T) {
	page, balancer := newPage(t)
	seven := netip.MustParseAddr("203.0.113.7")
	says := func(text string, status int, want string) {
		t.Helper()
		page.addresses.Store(&text)
		page.status.Store(int32(status))
		time.Sleep(60 * time.Millisecond) // an answer is good for as long
		err := balancer.Carries(t.Context(), seven)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d %q: %v, want %q", status, text, err, want)
		}
	}
	says("203.0.113.7\n2001:db8::7\n", http.StatusOK, "")
	says("203.0.113.8\n", http.StatusOK, "doesn't carry it")
	says("This replica still learns.\n", http.StatusServiceUnavailable, "isn't ready: This replica still learns")
	says("nonsense", http.StatusOK, `says "nonsense"`)
	if err := beside.New("http://127.0.0.1:1").Carries(t.Context(), seven); err == nil || !strings.Contains(err.Error(), "doesn't answer at http://127.0.0.1:1/addresses") {
		t.Errorf("nobody there: %v", err)
	}
}

func TestConnectionsAreThoseOfThePrefix(t *testing.T) {
	page, balancer := newPage(t)
	said := `{"at": "2026-01-02T03:04:05Z", "balancer": {"engine": "userspace", "services": [
		{"address": "203.0.113.7", "backends": [{"liveConnections": "2"}, {"liveConnections": "3"}]},
		{"address": "203.0.113.8", "backends": [{"liveConnections": "9"}]}]}, "newer": 1}`
	page.said.Store(&said)
	live, at := balancer.Live(netip.MustParsePrefix("203.0.113.7/32"))
	if live != 5 || !at.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) || !balancer.InProcess() {
		t.Errorf("%d connections at %s", live, at)
	}
	for _, nothing := range []string{"", "{}", "no JSON"} {
		page.said.Store(&nothing)
		time.Sleep(60 * time.Millisecond)
		if _, at := balancer.Live(netip.MustParsePrefix("203.0.113.7/32")); !at.IsZero() || balancer.InProcess() {
			t.Errorf("%q: counted at %s", nothing, at)
		}
	}
}
