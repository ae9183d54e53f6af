package load

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"
)

// add records a request that was due, sent and answered at these times.
func addAt(r *record, due, free, sent, done time.Duration, err error) {
	r.add(outcome{due: due, free: free, sent: sent, done: done, phase: "reply", backend: "a", err: err})
}

func reportOf(r *record) Report {
	g := &generator{Options: Options{URL: mustURL("http://192.0.2.1/"), MaxLateness: ms}, record: r}
	return g.report(1, false)
}

func TestOnlyTheGeneratorsOwnDelayMakesARunVoid(t *testing.T) {
	tests := []struct {
		name string
		free time.Duration // when a user was free for a request that was due at 0
		sent time.Duration
		want string
	}{
		{"sent in time", 0, ms / 2, ""},
		{"sent late", 0, 5 * ms, "late (p99 5"},
		{"the subject kept all users busy", 900 * ms, 900*ms + ms/2, ""},
		{"late after the subject had released a user", 900 * ms, 905 * ms, "late (p99 5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRecord(0, time.Second, nil)
			addAt(r, 0, test.free, test.sent, test.sent+ms, nil)
			report := reportOf(r)
			reasons := strings.Join(report.VoidReasons, "; ")
			if report.Void != (test.want != "") || !strings.Contains(reasons, test.want) {
				t.Errorf("void is %t: %s", report.Void, reasons)
			}
			if want := float64(test.sent+ms) / 1e6; report.Latency.Max < want*0.999 {
				t.Errorf("the latency is %v ms, want %v ms", report.Latency.Max, want)
			}
		})
	}
}

func TestALateTimerMakesARunVoidAlsoIfAllUsersWereBusy(t *testing.T) {
	r := newRecord(0, time.Second, nil)
	r.addArrival(0, 5*ms)
	addAt(r, 0, 900*ms, 900*ms, 901*ms, nil)
	if report := reportOf(r); !report.Void || report.Lateness.Max > 0 || !strings.Contains(report.VoidReasons[0], "late (p99 5") {
		t.Errorf("%+v", report)
	}
}

func TestFewLateRequestsDontMakeARunVoid(t *testing.T) {
	r := newRecord(0, time.Second, nil)
	for range 199 {
		addAt(r, 0, 0, 0, ms, nil)
	}
	addAt(r, 0, 0, 50*ms, 51*ms, nil)
	if report := reportOf(r); report.Void || report.Lateness.Max < 49 {
		t.Errorf("%+v", report)
	}
}

func TestAMachineWithoutFreePortsMakesARunVoid(t *testing.T) {
	r := newRecord(0, time.Second, nil)
	addAt(r, 0, 0, 0, ms, syscall.EADDRNOTAVAIL)
	if report := reportOf(r); !report.Void || !strings.Contains(report.VoidReasons[0], "--source") {
		t.Errorf("%+v", report.VoidReasons)
	}
}

func TestARunWithoutRequestsIsVoid(t *testing.T) {
	if report := reportOf(newRecord(0, time.Second, nil)); !report.Void {
		t.Error("nothing was measured, and the run is valid")
	}
}

func TestTheWarmUpIsNotMeasured(t *testing.T) {
	r := newRecord(100*ms, time.Second, nil)
	addAt(r, 99*ms, 0, 99*ms, 400*ms, nil)
	addAt(r, 100*ms, 0, 100*ms, 101*ms, nil)
	if report := reportOf(r); report.Due != 1 || report.Latency.Max > 2 {
		t.Errorf("%+v", report)
	}
}

func TestRequestsWithoutAReplyKeepTheirTimeInTheLatency(t *testing.T) {
	r := newRecord(0, time.Second, nil)
	addAt(r, 0, 0, 0, 800*ms, context.DeadlineExceeded)
	r.addUnsent([]time.Duration{100 * ms}, 1600*ms)
	addAt(r, 0, 0, 0, ms, syscall.ECONNREFUSED)
	addAt(r, 0, 0, 0, ms, errStatus(503))
	report := reportOf(r)
	if report.Due != 4 || report.Sent != 3 || report.Failed != 3 || report.Unanswered != 1 || report.Unsent != 1 {
		t.Errorf("%+v", report)
	}
	if report.Latency.Count != 2 || report.Latency.P50 < 799 || report.Latency.Max < 1499 {
		t.Errorf("%+v", report.Latency)
	}
	for _, want := range []string{"reply: timed out", "reply: refused", "reply: the status is 503"} {
		if report.Failures[want] != 1 {
			t.Errorf("%v has no %q", report.Failures, want)
		}
	}
}

func TestAnIdleCloseIsNoReset(t *testing.T) {
	for _, test := range []struct {
		err    error
		reused bool
		want   bool
	}{
		{syscall.EPIPE, true, true},
		{syscall.ECONNRESET, true, false},
		{syscall.EPIPE, false, false},
	} {
		if got := errors.Is(closedIdle(test.err, test.reused), errClosedIdle); got != test.want {
			t.Errorf("%v, reused %t: %t", test.err, test.reused, got)
		}
	}
}
