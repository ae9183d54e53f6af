package models_test

import (
	"strings"
	"testing"

	"fairlead.dev/agents/internal/bench/models"
)

const table = "TLS session table"

// step is one packet of a client and where it must arrive; "" is nowhere.
type step struct {
	packet models.Packet
	want   string
}

func play(t *testing.T, m models.Model, steps []step) {
	t.Helper()
	for i, step := range steps {
		if got := m.Pick(step.packet); got != step.want {
			t.Errorf("packet %d, %+v: reached %q, want %q", i+1, step.packet, got, step.want)
		}
	}
}

// newTable has two replicas, and one server, so that the random choice is known.
func newTable(t *testing.T) models.Watcher {
	t.Helper()
	m := find(t, table).(models.Watcher)
	m.Set([]string{"a"}, []string{"lb-1", "lb-2"})
	return m
}

func at(replica string, flow uint64, kind models.Kind) models.Packet {
	return models.Packet{Flow: flow, Replica: replica, Kind: kind}
}

func offering(packet models.Packet, id, ticket string) models.Packet {
	packet.SessionID, packet.Ticket = id, ticket
	return packet
}

func TestSessionTableAnswersTheSYNAndHandsTheHelloOff(t *testing.T) {
	play(t, newTable(t), []step{
		{at("lb-1", 1, models.Data), ""},   // 12 to 14: unknown
		{at("lb-1", 1, models.SYN), ""},    // 1 and 2: no server has it yet
		{at("lb-1", 1, models.Data), ""},   // the handshake's last packet isn't in a table
		{at("lb-1", 1, models.Hello), "a"}, // 5 to 10
		{at("lb-1", 1, models.Data), "a"},  // 12 and 16
		{at("lb-1", 1, models.Hello), ""},  // the replica has handed its end off
	})
}

func TestSessionTableIsOfOneReplica(t *testing.T) {
	m := newTable(t)
	play(t, m, []step{
		{at("lb-1", 1, models.SYN), ""},
		{at("lb-2", 1, models.Hello), ""}, // it never answered this client's SYN
		{at("lb-1", 1, models.Hello), "a"},
		{at("lb-2", 1, models.Data), ""},
	})
	m.Set([]string{"a"}, []string{"lb-2"})
	m.Set([]string{"a"}, []string{"lb-1", "lb-2"})
	play(t, m, []step{{at("lb-1", 1, models.Data), ""}}) // it was restarted
}

func TestSessionTableFindsWhatItCanRead(t *testing.T) {
	id, ticket := strings.Repeat("i", 32), strings.Repeat("t", 192)
	for _, test := range []struct {
		name  string
		reply models.Reply
		want  string
	}{
		{"a session id", models.Reply{SessionID: id}, "a"},
		{"a TLS 1.2 ticket", models.Reply{Ticket: ticket}, "a"},
		{"a TLS 1.3 ticket, encrypted", models.Reply{TLS13: true, SessionID: "of the client"}, "b"},
		{"a TLS 1.3 ticket, copied by the server", models.Reply{TLS13: true, Copy: ticket}, "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := newTable(t)
			test.reply.Replica, test.reply.Server = "lb-1", "a"
			m.Watch(test.reply)
			m.Set([]string{"b"}, []string{"lb-1", "lb-2"}) // the table still names a
			hello := offering(at("lb-1", 1, models.Hello), id, "")
			if test.reply.SessionID != id {
				hello = offering(hello, "random", ticket)
			}
			elsewhere := hello
			elsewhere.Replica, elsewhere.Flow = "lb-2", 2
			play(t, m, []step{
				{at("lb-1", 1, models.SYN), ""}, {hello, test.want},
				{at("lb-2", 2, models.SYN), ""}, {elsewhere, "b"},
			})
		})
	}
}

func TestSessionTableDecidesByTheFirstPacketOfAHello(t *testing.T) {
	m, ticket := newTable(t), strings.Repeat("t", 192)
	m.Watch(models.Reply{Replica: "lb-1", Server: "a", TLS13: true, Copy: ticket})
	m.Set([]string{"b"}, []string{"lb-1"})
	first := at("lb-1", 1, models.Hello)
	first.More = true
	play(t, m, []step{
		{at("lb-1", 1, models.SYN), ""},
		{first, "b"},
		{offering(at("lb-1", 1, models.HelloRest), "", ticket), "b"},
	})
}

func TestSessionTableSelectsServersAtRandom(t *testing.T) {
	m := find(t, table)
	m.Set([]string{"a", "b", "c"}, nil)
	reached := map[string]int{}
	for flow := range uint64(3000) {
		m.Pick(at("", flow, models.SYN))
		reached[m.Pick(offering(at("", flow, models.Hello), "unknown", ""))]++
	}
	for _, server := range []string{"a", "b", "c"} {
		if reached[server] < 850 || reached[server] > 1150 {
			t.Errorf("%v; each server must get about 1000", reached)
		}
	}
}
