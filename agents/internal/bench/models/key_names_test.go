package models_test

import (
	"testing"

	"fairlead.dev/agents/internal/bench/models"
)

const ours = "Fairlead sessions (model)"

func TestAnyReplicaContinuesWhatAnotherBegan(t *testing.T) {
	m := find(t, ours).(models.Watcher)
	m.Set([]string{"a"}, []string{"lb-1", "lb-2"})
	m.Watch(models.Reply{Replica: "lb-1", Server: "a", SessionID: "of a"})
	m.Set([]string{"a", "b"}, []string{"lb-2"})
	first := at("lb-2", 2, models.Hello)
	first.More = true
	play(t, m, []step{
		{at("lb-1", 1, models.SYN), ""},
		{offering(at("lb-2", 1, models.Hello), "of a", ""), "a"},
		{at("lb-1", 1, models.Data), "a"},
		{first, ""}, // waits for the rest
		{offering(at("lb-2", 2, models.HelloRest), "of a", ""), "a"},
		{at("lb-1", 3, models.Data), ""}, // no server has it
	})
}

func TestSessionsOfARemovedBackendArePlacedElsewhere(t *testing.T) {
	m := find(t, ours).(models.Watcher)
	m.Set([]string{"a", "b"}, nil)
	m.Watch(models.Reply{Server: "a", SessionID: "of a"})
	m.Set([]string{"b"}, nil)
	play(t, m, []step{{offering(at("", 1, models.Hello), "of a", ""), "b"}})
}

func TestTLS13SessionIDsNameNoBackend(t *testing.T) {
	m := find(t, ours).(models.Watcher)
	m.Set([]string{"a"}, nil)
	m.Watch(models.Reply{Server: "a", TLS13: true, SessionID: "of the client"})
	m.Set([]string{"a", "b"}, nil)
	reached := map[string]bool{}
	for flow := range uint64(50) {
		reached[m.Pick(offering(at("", flow, models.Hello), "of the client", ""))] = true
	}
	if !reached["b"] {
		t.Error("all connections reached a")
	}
}
