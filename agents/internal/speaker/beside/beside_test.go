package beside_test

import (
	"context"
	"errors"
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

// page is an HTTP server with stored responses.
type page struct {
	status            atomic.Int32
	addresses, report atomic.Pointer[string]
}

func newPage(t *testing.T) (*page, *beside.Balancer) {
	p := &page{}
	p.status.Store(http.StatusOK)
	p.addresses.Store(new(string))
	p.report.Store(new(string))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(int(p.status.Load()))
		fmt.Fprint(w, *map[string]*string{"/addresses": p.addresses.Load(), "/status": p.report.Load()}[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	return p, beside.New(server.URL+"/", nil)
}

func TestCarries(t *testing.T) {
	page, balancer := newPage(t)
	seven := netip.MustParseAddr("203.0.113.7")
	expect := func(text string, status int, want string) {
		t.Helper()
		page.addresses.Store(&text)
		page.status.Store(int32(status))
		time.Sleep(60 * time.Millisecond) // until the answer expires
		err := balancer.Carries(t.Context(), seven)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d %q: %v, want %q", status, text, err, want)
		}
	}
	expect("203.0.113.7\n2001:db8::7\n", http.StatusOK, "")
	expect("203.0.113.8\n", http.StatusOK, "doesn't serve this address")
	expect("This replica still learns.\n", http.StatusServiceUnavailable, "isn't ready: This replica still learns")
	expect("nonsense", http.StatusOK, `unexpected line in the balancer's address page: "nonsense"`)
	if err := beside.New("http://127.0.0.1:1", nil).Carries(t.Context(), seven); err == nil || !strings.Contains(err.Error(), "doesn't answer at http://127.0.0.1:1/addresses") {
		t.Errorf("no server: %v", err)
	}
}

func TestCarriesDoesNotWaitForAReport(t *testing.T) {
	asked, frozen := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/status" {
			close(asked)
		}
		<-frozen
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(frozen) })
	balancer := beside.New(server.URL, nil)
	go balancer.InProcess(t.Context())
	<-asked
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := balancer.Carries(ctx, netip.MustParseAddr("203.0.113.7"))
	if took := time.Since(began); err == nil || !strings.Contains(err.Error(), "did not answer in time") || took > 500*time.Millisecond {
		t.Errorf("after %s: %v", took, err)
	}
}

func TestAFrozenBalancerDelaysNoDecision(t *testing.T) {
	frozen := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-frozen }))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(frozen) })
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	prefix := netip.MustParsePrefix("203.0.113.7/32")
	for name, read := range map[string]func(*beside.Balancer){
		"InProcess": func(b *beside.Balancer) { b.InProcess(ctx) },
		"Ready":     func(b *beside.Balancer) { b.Ready(prefix, true) },
	} {
		began := time.Now()
		read(beside.New(server.URL, nil))
		if took := time.Since(began); took > 500*time.Millisecond {
			t.Errorf("%s took %s", name, took)
		}
	}
}

func TestAReadThatWasCutShortIsTriedAgain(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(100 * time.Millisecond)
		fmt.Fprint(w, `{"balancer": {"engine": "userspace"}}`)
	}))
	t.Cleanup(server.Close)
	balancer := beside.New(server.URL, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if balancer.InProcess(ctx) {
		t.Error("it was known in 20 ms")
	}
	if !balancer.InProcess(t.Context()) {
		t.Error("it is not known after a second try")
	}
}

func TestLiveCountsConnectionsOfThePrefix(t *testing.T) {
	page, balancer := newPage(t)
	report := func(at, live string) string {
		return `{"at": "` + at + `", "balancer": {"engine": "userspace", "liveCountedAt": "` + at + `", "services": [
			{"address": "203.0.113.7", "backends": [{"liveConnections": "2"}, {"liveConnections": "` + live + `"}]},
			{"address": "203.0.113.8", "backends": [{"liveConnections": "9"}]}]}, "newer": 1}`
	}
	readLive := func(text string) (live int, at time.Time) {
		t.Helper()
		page.report.Store(&text)
		time.Sleep(60 * time.Millisecond) // until the answer expires
		return balancer.Live(netip.MustParsePrefix("203.0.113.7/32"))
	}
	began := time.Now()
	if live, at := readLive(report("2026-01-02T03:04:05Z", "3")); live != 5 || !at.IsZero() || !balancer.InProcess(t.Context()) {
		t.Errorf("%d connections at %s, want none yet", live, at)
	}
	// The balancer's clock may be wrong: the last read of the previous report counts.
	live, at := readLive(report("2020-01-02T03:04:05Z", "4"))
	if live != 6 || at.Before(began) || time.Since(at) > time.Since(began)-60*time.Millisecond {
		t.Errorf("%d connections at %s, test started at %s", live, at, began)
	}
	if live, again := readLive(report("2020-01-02T03:04:05Z", "4")); live != 6 || !again.Equal(at) {
		t.Errorf("same report: %d connections at %s", live, again)
	}
	for _, nothing := range []string{"", "no JSON"} {
		if _, at := readLive(nothing); !at.IsZero() || balancer.InProcess(t.Context()) {
			t.Errorf("%q: counted at %s", nothing, at)
		}
	}
	failed := time.Now()
	if _, at := readLive(report("2026-01-02T03:04:06Z", "0")); at.IsZero() || !at.Before(failed.Add(-60*time.Millisecond)) {
		t.Errorf("counted at %s, although requests failed until %s", at, failed)
	}
}

// A walk through a large table takes long, and its result is reported until the next one is over.
func TestLiveCountsAreAsOldAsTheWalkThatFoundThem(t *testing.T) {
	const none = `{"address": "203.0.113.7", "ready": true, "backends": [{"liveConnections": "0"}]}`
	for _, test := range []struct {
		name    string
		status  string // of the second report
		known   bool
		age     time.Duration
		service string
	}{
		{"counted two minutes before", `"liveCountedAt": "2026-01-02T03:02:05Z",`, true, 2 * time.Minute, none},
		{"counted at once", `"liveCountedAt": "2026-01-02T03:04:05Z",`, true, 0, none},
		{"the balancer's clock was set back", `"liveCountedAt": "2026-01-02T03:05:05Z",`, true, 0, none},
		{"not counted yet", "", false, 0, none},
		{"carried as before its newest config", `"liveCountedAt": "2026-01-02T03:04:05Z",`, false, 0, `{"address": "203.0.113.7", "ready": true, "message": "as before"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			page, balancer := newPage(t)
			prefix := netip.MustParsePrefix("203.0.113.7/32")
			first := `{"at": "2026-01-02T03:03:05Z", "balancer": {"liveCountedAt": "2026-01-02T03:03:05Z"}}`
			page.report.Store(&first)
			before := time.Now()
			balancer.Live(prefix)
			after := time.Now()
			second := `{"at": "2026-01-02T03:04:05Z", "balancer": {` + test.status + `"services": [` + test.service + `]}}`
			page.report.Store(&second)
			time.Sleep(60 * time.Millisecond) // until the answer expires
			_, at := balancer.Live(prefix)
			if !test.known {
				if !at.IsZero() {
					t.Errorf("counted at %s, want unknown", at)
				}
				return
			}
			if at.Before(before.Add(-test.age)) || at.After(after.Add(-test.age)) {
				t.Errorf("counted at %s, want %s before %s", at, test.age, before)
			}
		})
	}
}

func TestReadyIsTheTimeOfTheFirstBackend(t *testing.T) {
	const one, two = "2026-01-02T03:04:05Z", "2026-01-02T03:04:09Z"
	backend := func(health, since string) string {
		if since != "" {
			since = `, "since": "` + since + `"`
		}
		return `{"health": "` + health + `"` + since + `}`
	}
	for _, test := range []struct {
		name     string
		backends string
		is       bool
		want     string // the zero time if empty
	}{
		{"two are up", backend("up", two) + "," + backend("up", one), true, one},
		{"one of two is up", backend("down", one) + "," + backend("up", two), true, two},
		{"none is up", backend("down", one), true, ""},
		{"all are down", backend("down", one) + "," + backend("down", two), false, two},
		{"not all are down", backend("down", one) + "," + backend("up", two), false, ""},
		{"no checks", backend("unknown", ""), true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			page, balancer := newPage(t)
			report := `{"balancer": {"services": [{"address": "203.0.113.8", "backends": [` + backend("up", "2020-01-02T03:04:05Z") + `]},
				{"address": "203.0.113.7", "backends": [` + test.backends + `]}]}}`
			page.report.Store(&report)
			want := time.Time{}
			if test.want != "" {
				want, _ = time.Parse(time.RFC3339, test.want)
			}
			if got := balancer.Ready(netip.MustParsePrefix("203.0.113.7/32"), test.is); !got.Equal(want) {
				t.Errorf("ready since %s, want %s", got, want)
			}
		})
	}
}

func TestABalancerOnAnotherHostNeedsTheKey(t *testing.T) {
	const first, second = "0123456789abcdef", "fedcba9876543210"
	wanted, requests := first, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		if r.Header.Get("Authorization") != "Bearer "+wanted {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		fmt.Fprintln(w, "192.0.2.7")
	}))
	defer server.Close()
	carries := func(balancer *beside.Balancer) error {
		time.Sleep(60 * time.Millisecond) // until the answer expires
		return balancer.Carries(t.Context(), netip.MustParseAddr("192.0.2.7"))
	}
	if err := carries(beside.New(server.URL, nil)); err == nil || !strings.Contains(err.Error(), "set the same --pages-key-file at both") {
		t.Errorf("without the key: %v", err)
	}
	file, fileErr := first, error(nil)
	balancer := beside.New(server.URL, func() (string, error) { return file, fileErr })
	for _, step := range []struct {
		name   string
		change func()
		want   string // in the error; "" for none
	}{
		{"with the key", func() {}, ""},
		{"the speaker's key is replaced first", func() { file = second }, ""},
		{"the balancer's key is replaced too", func() { wanted = second }, ""},
		{"the file can't be read for a moment", func() { fileErr = errors.New("the file is empty") }, ""},
		{"the balancer's key is replaced first", func() { wanted = first + first }, "rejects this speaker: the file is empty"},
		{"the speaker's key is replaced too", func() { file, fileErr = wanted, nil }, ""},
	} {
		step.change()
		if err := carries(balancer); step.want == "" && err != nil || step.want != "" && (err == nil || !strings.Contains(err.Error(), step.want)) {
			t.Errorf("%s: %v, want %q", step.name, err, step.want)
		}
	}
	requests = 0
	if err := carries(balancer); err != nil || requests != 1 {
		t.Errorf("with the same key at both: %d requests (%v), want 1", requests, err)
	}
}
