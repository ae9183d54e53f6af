// Package events collects events of a host until a report takes them.
package events

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Lost is the reason of the event that replaces dropped events.
const Lost = "EventsLost"

// most limits the events that wait for a report.
const most = 1000

// Event is something that happened.
type Event struct {
	At           time.Time // now if zero
	Reason       string    // one word to search for
	Message      string    // a sentence
	Warning      bool
	LoadBalancer string // its ID; empty: the event is about the agent
}

// Events belong to one goroutine.
type Events struct {
	Log  *slog.Logger
	list []*agentv1.AgentEvent
	lost int
}

// Record logs and queues an event: without a control plane, only the log has it.
func (e *Events) Record(one Event) {
	if one.At.IsZero() {
		one.At = time.Now()
	}
	level := slog.LevelInfo
	if one.Warning {
		level = slog.LevelWarn
	}
	e.Log.Log(context.Background(), level, one.Message, "event", one.Reason, "loadBalancer", one.LoadBalancer)
	if len(e.list) == most { // a burst: its beginning is more useful than its end
		e.lost++
		return
	}
	e.list = append(e.list, &agentv1.AgentEvent{
		At: timestamppb.New(one.At), Reason: one.Reason, Message: strings.ToValidUTF8(one.Message, "?"),
		Warning: one.Warning, LoadBalancerId: one.LoadBalancer,
	})
}

// Waiting is the number of queued events.
func (e *Events) Waiting() int { return len(e.list) }

// Take returns and removes the queued events.
func (e *Events) Take() []*agentv1.AgentEvent {
	taken := e.list
	if e.lost > 0 {
		taken = append(taken, &agentv1.AgentEvent{
			At: timestamppb.Now(), Reason: Lost, Warning: true,
			Message: "More happened than a report can carry; the log of the agent has it all.",
		})
	}
	e.list, e.lost = nil, 0
	return taken
}
