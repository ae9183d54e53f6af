// Package events collects what happened on a host, for people, until a report takes it.
package events

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Lost is the reason of the event that stands for those that found no room.
const Lost = "EventsLost"

// most bounds what waits for a report.
const most = 1000

// Event is something that happened.
type Event struct {
	At           time.Time // now when zero
	Reason       string    // one word that can be searched for
	Message      string    // a sentence
	Warning      bool
	LoadBalancer string // its ID; empty: it is about the agent
}

// Events belong to one goroutine.
type Events struct {
	Log  *slog.Logger
	list []*agentv1.AgentEvent
	lost int
}

// Say logs an event too: without a control plane nobody else would hear.
func (e *Events) Say(one Event) {
	if one.At.IsZero() {
		one.At = time.Now()
	}
	level := slog.LevelInfo
	if one.Warning {
		level = slog.LevelWarn
	}
	e.Log.Log(context.Background(), level, one.Message, "event", one.Reason, "loadBalancer", one.LoadBalancer)
	if len(e.list) == most { // a storm: its beginning tells more than its end
		e.lost++
		return
	}
	e.list = append(e.list, &agentv1.AgentEvent{
		At: timestamppb.New(one.At), Reason: one.Reason, Message: strings.ToValidUTF8(one.Message, "?"),
		Warning: one.Warning, LoadBalancerId: one.LoadBalancer,
	})
}

// Waiting is how many a report would take.
func (e *Events) Waiting() int { return len(e.list) }

// Take hands them to a report.
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
