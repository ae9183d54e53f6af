package fleet

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
)

func options(t *testing.T, cp *controlplanetest.ControlPlane, tokens int) Options {
	t.Helper()
	o := Options{
		URL: controlplanetest.URL, Agents: 5, Folder: t.TempDir(), NamePrefix: "sim-",
		ReportEvery: 5 * time.Second, Series: 21, Points: 5,
		Ramp: 10 * time.Second, Warmup: 10 * time.Second, Drain: 10 * time.Second, PrintEvery: 5 * time.Second,
		Log: slog.New(slog.DiscardHandler), Dial: cp.Network.Dial,
	}
	for range tokens {
		token, err := controlplane.ParseToken(cp.NewToken())
		if err != nil {
			t.Fatal(err)
		}
		o.Tokens = append(o.Tokens, token)
	}
	return o
}

func play(t *testing.T, o Options, duration time.Duration) (Figures, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), duration)
	defer cancel()
	lines := 0
	summary, err := Run(ctx, o, func(Figures) { lines++ })
	if err != nil {
		t.Fatal(err)
	}
	return summary, lines
}

func TestEveryReportIsAnsweredAndCountedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		o := options(t, cp, 5)
		summary, lines := play(t, o, 80*time.Second)
		// 60 s of 5 agents with a report every 5 s, 21 series of 5 points each.
		if summary.ReportsAcked != 60 || summary.ReportsLost != 0 || summary.ReportsLate != 0 || summary.PointsAcked != 60*21*5 || summary.PointsPerSecond != 105 {
			t.Fatalf("summary = %+v", summary)
		}
		if lines < 15 || !summary.Summary {
			t.Fatalf("%d lines", lines)
		}
		report := cp.Reports()[0]
		if len(report.GetSeries()) != 21 || len(report.GetSeries()[20].GetValues()) != 5 || report.GetFacts() == nil {
			t.Fatalf("report = %v", report)
		}

		o.Tokens = nil // identities were kept
		if again, _ := play(t, o, 30*time.Second); again.ReportsLost != 0 || cp.Enrolments() != 5 {
			t.Fatalf("again = %+v, enrolments %d", again, cp.Enrolments())
		}
	})
}

func TestAnInterruptEndsItWithItsSummary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		// A signal ends a context with a cause of its own.
		ctx, interrupt := context.WithCancelCause(t.Context())
		timer := time.AfterFunc(time.Minute, func() { interrupt(errors.New("interrupt signal received")) })
		defer timer.Stop()
		summary, err := Run(ctx, options(t, cp, 5), func(Figures) {})
		if err != nil || !summary.Summary || summary.ReportsAcked == 0 || summary.ReportsLost != 0 {
			t.Fatalf("summary = %+v, err %v", summary, err)
		}
	})
}

func TestAnOutageCausesLateReportsAndAnEndlessOneLostReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		o := options(t, cp, 5)
		outage := time.AfterFunc(30*time.Second, cp.Network.Cut)
		mend := time.AfterFunc(50*time.Second, cp.Network.Mend)
		defer outage.Stop()
		defer mend.Stop()
		summary, _ := play(t, o, 2*time.Minute)
		if summary.ReportsLost != 0 || summary.ReportsLate == 0 || summary.AckMsMax < 15_000 {
			t.Fatalf("summary = %+v", summary)
		}

		outage.Reset(25 * time.Second)
		summary, _ = play(t, o, time.Minute)
		if summary.ReportsLost == 0 {
			t.Fatalf("summary = %+v", summary)
		}
	})
}

func TestTooFewTokensFailBeforeTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		_, err := Run(t.Context(), options(t, cp, 3), func(Figures) {})
		if err == nil || !strings.Contains(err.Error(), "put 2 more into the token file") || cp.Enrolments() != 0 {
			t.Fatalf("err = %v", err)
		}
	})
}

func TestTheTimeOfAReportCountsFromWhenItWasDue(t *testing.T) {
	due := time.Unix(1000, 0)
	tally := newTally(due)
	tally.answered(due.Add(-1), due.Add(time.Hour), 1) // in the warm-up
	for ms := 1; ms <= 1000; ms++ {
		tally.sent(due)
		tally.answered(due, due.Add(time.Duration(ms)*time.Millisecond), 1)
	}
	figures := tally.figures(1, due.Add(time.Second))
	for got, want := range map[float64]float64{figures.AckMsP50: 500, figures.AckMsP99: 990, figures.AckMsMax: 1000} {
		if got < want*0.999 || got > want*1.001 {
			t.Errorf("%v instead of %v: %+v", got, want, figures)
		}
	}
	if figures.ReportsAcked != 1000 {
		t.Errorf("%d reports were acknowledged", figures.ReportsAcked)
	}
}

func TestWalksStayWithinTheirBounds(t *testing.T) {
	walks := newWalks(100)
	if len(walks) != 100 || walks[99].iface == "" {
		t.Fatalf("%d walks, the last %+v", len(walks), walks[99])
	}
	for range 10_000 {
		for i := range walks {
			if value := walks[i].next(); value < walks[i].low || value > walks[i].high {
				t.Fatalf("%s = %v", walks[i].metric, value)
			}
		}
	}
}
