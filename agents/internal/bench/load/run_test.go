package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestAStallIsInTheLatencyOfAllRequestsThatItDelayed(t *testing.T) {
	const stall = 500 * ms
	var lock sync.RWMutex
	address := plain(t, "127.0.0.1:0", "a", func(http.ResponseWriter, *http.Request) { lock.RLock(); defer lock.RUnlock() })
	o := optionsFor("http://shop.example/", address)
	// Two users, as a closed-loop client with two connections: only two requests of about 400 are sent and not
	// answered during the stall. The other 100 that are due then wait for a user.
	o.Arrivals, o.For, o.Users, o.Requests = Uniform, 2*time.Second, 2, 1_000_000
	time.AfterFunc(800*ms, func() {
		lock.Lock()
		time.Sleep(stall)
		lock.Unlock()
	})
	report := run(t, o)
	if uint64(report.Pacing.Count) != report.Due {
		t.Errorf("the lateness of %d of %d arrivals was measured", report.Pacing.Count, report.Due)
	}
	stalled := float64(stall) / 1e6
	if report.Latency.P99 < 0.9*stalled || report.Latency.Max < 0.98*stalled {
		t.Errorf("the latency from when requests were due is %+v", report.Latency)
	}
	if report.SendToReply.P90 > stalled/4 || report.SendToReply.Max < 0.9*stalled {
		t.Errorf("the time from send to reply is %+v", report.SendToReply)
	}
	if report.Wait.P99 < 0.9*stalled || report.Lateness.P90 > stalled/4 {
		t.Errorf("requests waited %+v for users, and were %+v late", report.Wait, report.Lateness)
	}
}

func TestUsersKeepTheirCookiesAndConnections(t *testing.T) {
	var issued, foreign, fresh atomic.Int64
	var lock sync.Mutex
	owners := map[string]string{} // client's port → cookie
	address := plain(t, "127.0.0.1:0", "a", func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("user")
		lock.Lock()
		defer lock.Unlock()
		before, known := owners[r.RemoteAddr]
		if err != nil {
			if known {
				foreign.Add(1)
			}
			value := fmt.Sprint(issued.Add(1))
			owners[r.RemoteAddr] = value
			http.SetCookie(w, &http.Cookie{Name: "user", Value: value, Path: "/"})
			return
		}
		if known && before != cookie.Value {
			foreign.Add(1)
		}
		if !known {
			fresh.Add(1)
		}
		owners[r.RemoteAddr] = cookie.Value
	})
	o := optionsFor("http://shop.example/", address)
	o.Requests = 5
	report := run(t, o)
	if issued.Load() != 10 || foreign.Load() > 0 {
		t.Errorf("%d cookies for 10 users, %d requests with those of another", issued.Load(), foreign.Load())
	}
	if s := report.Sessions; s.Returns != uint64(fresh.Load()) || s.Connections > report.Due/5+10 || s.Offered > 0 {
		t.Errorf("%+v; the server saw %d returns in %d requests", s, fresh.Load(), report.Due)
	}
}

func TestAServerMayCloseIdleConnections(t *testing.T) {
	// It closes each connection right after a reply that doesn't announce this, and so before the next request.
	address := plain(t, "127.0.0.1:0", "a", func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, err = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			err = errors.Join(err, conn.Close())
		}
		if err != nil {
			t.Error(err)
		}
	})
	o := optionsFor("http://shop.example/", address)
	o.Think, o.Requests, o.Rate, o.Users = 100*ms, 1000, 50, 20
	if report := run(t, o); report.Reopened < 10 {
		t.Errorf("%d connections were opened again", report.Reopened)
	}
}

func TestAServerThatNeverRepliesLeavesRequestsUnansweredAndUnsent(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	o := optionsFor("http://shop.example/", netip.MustParseAddrPort(listener.Addr().String()))
	o.Timeout, o.For, o.Users, o.Rate, o.Arrivals = 2*time.Second, 500*ms, 2, 20, Uniform
	began := time.Now()
	report, err := Run(t.Context(), o)
	if err != nil || time.Since(began) > slower(5*time.Second) {
		t.Fatalf("%v after %v", err, time.Since(began))
	}
	if report.Due != 9 || report.Sent < 2 || report.Unanswered != report.Sent || report.Unsent != 9-report.Sent || report.Latency.Count != 9 {
		t.Errorf("%+v", report)
	}
	if report.Latency.P50 < 1500 {
		t.Errorf("the time that requests had waited is not in the latency: %+v", report.Latency)
	}
}

func TestAnInterruptedRunReportsWhatItMeasured(t *testing.T) {
	address := plain(t, "127.0.0.1:0", "a", func(http.ResponseWriter, *http.Request) {})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	time.AfterFunc(500*ms, stop)
	var out bytes.Buffer
	err := Command(ctx, []string{"http://" + address.String() + "/", "--for=10m", "--warmup=0s", "--max-lateness=1h", "--json"}, &out, io.Discard)
	var report Report
	if err := errors.Join(err, json.Unmarshal(out.Bytes(), &report)); err != nil {
		t.Fatal(err)
	}
	if !report.Interrupted || report.Answered < 10 || report.Answered != report.Due || report.Seconds < 0.4 || report.Seconds > 60 {
		t.Errorf("%+v", report)
	}
}

func TestBothFamiliesAndTheClientsOwnAddresses(t *testing.T) {
	for listen, sources := range map[string][]string{"127.0.0.1:0": {"127.0.0.2", "127.0.0.3"}, "[::1]:0": {"::1"}} {
		var lock sync.Mutex
		from := map[string]int{}
		address := plain(t, listen, "a", func(_ http.ResponseWriter, r *http.Request) {
			host, _, _ := net.SplitHostPort(r.RemoteAddr)
			lock.Lock()
			defer lock.Unlock()
			from[host]++
		})
		o := optionsFor("http://shop.example/", address)
		for _, each := range sources {
			o.Sources = append(o.Sources, netip.MustParseAddr(each))
		}
		run(t, o)
		for _, each := range sources {
			if len(from) != len(sources) || from[each] == 0 {
				t.Errorf("connections came from %v, want all of %v", from, sources)
			}
		}
	}
}

func TestTheReportNamesWhatAReaderNeeds(t *testing.T) {
	var requests atomic.Int64
	address := plain(t, "127.0.0.1:0", "a", func(w http.ResponseWriter, r *http.Request) {
		count := requests.Add(1)
		if r.Host != "shop.example" || r.Header.Get("Accept") != "text/html" {
			t.Errorf("the request is for %s: %v", r.Host, r.Header)
		}
		if count == 5 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	var out bytes.Buffer
	err := Command(t.Context(), []string{
		"http://shop.example/", "--connect=" + address.String(), "--header", "Accept: text/html", "--users=1", "--requests=4",
		"--rate=20", "--for=1s", "--warmup=0s", "--arrivals=uniform", "--max-lateness=1ns",
	}, &out, io.Discard)
	var void VoidError
	if !errors.As(err, &void) || !strings.Contains(err.Error(), "late") {
		t.Errorf("a run with requests later than allowed returned %v", err)
	}
	for _, want := range []string{
		"20 requests/s requested (uniform)", "19 due, 18 answered, 1 failed", "latency, from when due", "lateness of the generator",
		"returns", "same backend (100.00 %)", "a        19", "reply: the status is 503", "VOID: the generator sent requests late",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, out.String())
		}
	}
}
