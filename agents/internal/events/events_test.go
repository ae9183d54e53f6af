package events_test

import (
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/events"
)

func TestExcessEventsAreDroppedAndReported(t *testing.T) {
	e := events.Events{Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	for range 1500 {
		e.Record(events.Event{Reason: "Storm", Message: "It blows."})
	}
	taken := e.Take()
	if len(taken) != 1001 || taken[0].GetReason() != "Storm" || taken[1000].GetReason() != events.Lost || !taken[1000].GetWarning() {
		t.Fatalf("%d events, the last %v", len(taken), taken[len(taken)-1])
	}
	if again := e.Take(); len(again) != 0 {
		t.Fatalf("taken twice: %v", again)
	}
}

func TestAnEventIsLoggedAndEncodable(t *testing.T) {
	var log strings.Builder
	e := events.Events{Log: slog.New(slog.NewTextHandler(&log, nil))}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e.Record(events.Event{At: at, Reason: "Odd", Message: "eth\xff is odd.", Warning: true, LoadBalancer: "lb_1"})
	got := e.Take()[0]
	if got.GetMessage() != "eth? is odd." || !got.GetAt().AsTime().Equal(at) || got.GetLoadBalancerId() != "lb_1" || !got.GetWarning() {
		t.Fatalf("got %v", got)
	}
	if !strings.Contains(log.String(), "event=Odd") || !strings.Contains(log.String(), "level=WARN") {
		t.Fatalf("log: %s", log.String())
	}
}
