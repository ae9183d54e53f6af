package churn

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

const table, ours = "TLS session table", "Fairlead sessions (model)"

func TestReturnsOnTheSameTrace(t *testing.T) {
	s := scenario(t, "churnsmall")
	s.Span, s.Backends = 20*time.Second, 3
	byCase := map[[3]string]*Returned{} // changes, resumption, subject; replicas in front of changes
	connections := 0
	if err := Returns(t.Context(), s, 1, []string{table, ours}, func(line Line) {
		got := line.Returned
		byCase[[3]string{map[int]string{1: "one, ", 2: "two, "}[got.Replicas] + got.Changes, got.Resumption, got.Subject}] = got
		if connections == 0 {
			connections = got.Connections
		}
		if got.Connections != connections || connections < 4000 {
			t.Errorf("%+v: another has %d connections", got, connections)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if len(byCase) != 8*6*2 {
		t.Fatalf("%d cases", len(byCase))
	}
	sixth := 1.0 / 6
	for _, test := range []struct {
		changes, resumption string
		want                float64 // share of returns at their backend
		breaks, fails       bool
	}{
		{"one, none", "TLS 1.2 session id", 1, false, false},
		{"one, none", "TLS 1.2 ticket", 1, false, false},
		{"one, none", "TLS 1.3, patched server", 1, false, false},
		{"one, none", "TLS 1.3", sixth, false, false},
		{"one, none", "TLS 1.3, patched server, hello in two packets", sixth, false, false},
		{"two, none", "TLS 1.2 ticket", 0.5 + 0.5*sixth, false, false},
		{"one, replicas", "TLS 1.2 ticket", less, true, false},
		{"one, backends", "TLS 1.2 ticket", 1, false, true},
		{"two, replicas and backends", "TLS 1.2 session id", less, true, true},
	} {
		got := byCase[[3]string{test.changes, test.resumption, table}]
		if off := got.KeptShare - test.want; test.want == less && got.KeptShare > 0.9 || test.want != less && math.Abs(off) > 0.03 || got.Broken > 0 != test.breaks || got.Failed > 0 != test.fails {
			t.Errorf("%+v, want %+v", got, test)
		}
	}
	for _, got := range byCase {
		if got.Subject == ours && got.Resumption != "TLS 1.3, unnamed keys" && (got.Kept != got.Returns || got.Broken+got.Failed > 0) {
			t.Errorf("%+v", got)
		}
	}
	if got := byCase[[3]string{"one, none", "TLS 1.3, unnamed keys", ours}]; math.Abs(got.KeptShare-sixth) > 0.03 {
		t.Errorf("%+v", got)
	}
}

// less is a share that depends on when the changes are: at most nine in ten.
const less = -1

// As on SIGTERM: one replay can last for minutes.
func TestReturnsEndsInTheMiddleOfAReplay(t *testing.T) {
	s := scenario(t, "churn")
	s.Span = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	began := time.Now()
	err := Returns(ctx, s, 1, []string{ours}, func(line Line) { t.Errorf("an incomplete replay: %+v", line.Returned) })
	if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took > 10*time.Second {
		t.Errorf("%v after %s", err, took)
	}
}

func TestReturnsRejectsUnknownModels(t *testing.T) {
	err := Returns(t.Context(), scenario(t, "churn"), 1, []string{"Maglov"}, nil)
	if err == nil || !strings.Contains(err.Error(), `"Maglov" is no model; give one of ECMP hash, `) {
		t.Error(err)
	}
}
