package load

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
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
