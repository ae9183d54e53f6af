package balancer

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// The words events of this role can be searched for.
const (
	BackendDown   = "BackendDown"
	BackendUp     = "BackendUp"
	EngineChosen  = "EngineChosen"
	EngineFailed  = "EngineFailed"
	ConfigRefused = "ConfigRefused"
	FlowsUnshared = "FlowsUnshared"
	EventsLost    = "EventsLost"
)

// eventsMost bounds what waits for a report.
const eventsMost = 1000

type event struct {
	at              time.Time // now when zero
	reason, message string
	warning         bool
	loadBalancer    string
}

// events collects what happened until a report takes it.
type events struct {
	log  *slog.Logger
	list []*agentv1.AgentEvent
	lost int
}

// say logs an event too: without a control plane nobody else would hear.
func (e *events) say(one event) {
	if one.at.IsZero() {
		one.at = time.Now()
	}
	level := slog.LevelInfo
	if one.warning {
		level = slog.LevelWarn
	}
	e.log.Log(context.Background(), level, one.message, "event", one.reason, "loadBalancer", one.loadBalancer)
	if len(e.list) == eventsMost { // a storm: its beginning tells more than its end
		e.lost++
		return
	}
	e.list = append(e.list, &agentv1.AgentEvent{
		At: timestamppb.New(one.at), Reason: one.reason, Message: strings.ToValidUTF8(one.message, "?"),
		Warning: one.warning, LoadBalancerId: one.loadBalancer,
	})
}

func (e *events) take() []*agentv1.AgentEvent {
	taken := e.list
	if e.lost > 0 {
		taken = append(taken, &agentv1.AgentEvent{
			At: timestamppb.Now(), Reason: EventsLost, Warning: true,
			Message: "More happened than a report can carry; the log of the agent has it all.",
		})
	}
	e.list, e.lost = nil, 0
	return taken
}
