package load

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestTheRatesOfAnInterruptedRunEndWithIt(t *testing.T) {
	r := newRecord(0, time.Minute, nil)
	r.end(time.Second)
	for _, done := range []time.Duration{ms, 1500 * ms} {
		addAt(r, 0, 0, 0, done, nil)
	}
	addAt(r, 0, 0, 1200*ms, 1300*ms, nil)
	if report := reportOf(r); report.SentPerSecond != 2 || report.AnsweredPerSecond != 1 {
		t.Errorf("%g sent and %g answered in the second", report.SentPerSecond, report.AnsweredPerSecond)
	}
}

// The server replies to all requests after the interrupt, within the time that the run waits for it.
func TestRepliesAfterAnInterruptDontCountForTheRate(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	replying := make(chan struct{})
	address := plain(t, "127.0.0.1:0", "a", func(http.ResponseWriter, *http.Request) { <-replying })
	o := optionsFor("http://shop.example/", address)
	o.For, o.Users = 10*time.Minute, 1000
	time.AfterFunc(500*ms, stop)
	time.AfterFunc(500*ms+patience/3, func() { close(replying) })
	report, err := Run(ctx, o)
	if err != nil || !report.Interrupted || report.Answered < 10 {
		t.Fatalf("%+v, %v", report, err)
	}
	if inTime := report.AnsweredPerSecond * report.Seconds; inTime > float64(report.Answered)/2 {
		t.Errorf("%g of %d replies count for the rate, and all came after the interrupt", inTime, report.Answered)
	}
}

func TestAnInterruptEndsTheWaitForReplies(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	o := optionsFor("http://shop.example/", netip.MustParseAddrPort(listener.Addr().String())) // which never replies
	o.Timeout, o.For = time.Minute, 200*ms
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	time.AfterFunc(600*ms, stop)
	began := time.Now()
	report, err := Run(ctx, o)
	if err != nil || !report.Interrupted || report.Unanswered == 0 || time.Since(began) > slower(10*time.Second) {
		t.Errorf("after %v: %+v, %v", time.Since(began), report, err)
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAReportSurvivesAnErrorOfTheReturns(t *testing.T) {
	o := optionsFor("http://shop.example/", plain(t, "127.0.0.1:0", "a", quick))
	o.Returns = full{}
	report, err := Run(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "write the returns") || report.Answered == 0 {
		t.Errorf("%+v, %v", report, err)
	}
	var out bytes.Buffer
	err = Command(t.Context(), []string{
		"http://" + o.Addresses[0].String() + "/", "--returns=/dev/full", "--rate=500", "--for=1s", "--warmup=0s", "--requests=1", "--users=10",
	}, &out, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "no space left") || !strings.Contains(out.String(), "latency, from when due") {
		t.Errorf("%v:\n%s", err, out.String())
	}
}
