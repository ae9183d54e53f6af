package backend

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/keys"
)

// secretText is printable, so that it would be found in an error.
const secretText = "secret-of-ticket"

func ticketKey(server string, epoch uint64) *agentv1.TicketKey {
	return &agentv1.TicketKey{Server: server, Epoch: epoch, Name: fmt.Appendf(nil, "%-15s%d", server, epoch), Secret: bytes.Repeat([]byte(secretText), 4)}
}

// withTickets returns a server with managed keys.
func withTickets(change func(*agentv1.TicketKeys)) *agentv1.BackendServer {
	return server(func(s *agentv1.BackendServer) {
		s.TicketKeys = &agentv1.TicketKeys{
			Revision: 5, Software: "haproxy", Folder: "/run/tickets/{instance}/", Socket: "/run/{instance}.sock",
			Keys: []*agentv1.TicketKey{ticketKey("web-1", 2), ticketKey("web-1", 1), ticketKey("web-2", 2)},
		}
		if change != nil {
			change(s.TicketKeys)
		}
	})
}

func TestManagedTicketKeysAreParsed(t *testing.T) {
	desired, err := ParseDesired(configOf(withTickets(nil)))
	if err != nil {
		t.Fatal(err)
	}
	got := desired.Servers[0].Tickets
	if want := (keys.Place{Software: keys.ForHAProxy, Folder: "/run/tickets/web-1", Socket: "/run/web-1.sock"}); got.Place != want || got.Revision != 5 {
		t.Errorf("got %+v", got)
	}
	if got.Keys.ID != "web-1" || got.Keys.Own.Epoch != 2 || len(got.Keys.Accept) != 2 || got.Keys.Accept[1].Server != "web-2" {
		t.Errorf("got %+v", got.Keys)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
		if printed := fmt.Sprintf(verb, got); strings.Contains(printed, secretText) || strings.Contains(printed, "7365637265742d6f66") {
			t.Errorf("%s prints the secret", verb)
		}
	}
}

func TestAnErrorOfTicketKeysNamesFieldAndCure(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*agentv1.TicketKeys)
		want   string
	}{
		"unknown software":  {func(k *agentv1.TicketKeys) { k.Software = "apache" }, `ticket_keys software "apache" is unknown; give one of nginx, haproxy, node, go, envoy`},
		"no folder":         {func(k *agentv1.TicketKeys) { k.Folder = "" }, `ticket_keys folder "" is invalid; give an absolute path`},
		"a relative folder": {func(k *agentv1.TicketKeys) { k.Folder = "tickets" }, `ticket_keys folder "tickets" is invalid`},
		"a line break":      {func(k *agentv1.TicketKeys) { k.Folder = "/a\nb" }, `ticket_keys folder "/a\nb" is invalid`},
		"a long socket":     {func(k *agentv1.TicketKeys) { k.Socket = "/" + strings.Repeat("x", 107) }, "is too long; give at most 107 bytes"},
		"nginx's socket":    {func(k *agentv1.TicketKeys) { k.Software = "nginx" }, "ticket_keys socket is only for haproxy; leave it out for nginx"},
		"no keys":           {func(k *agentv1.TicketKeys) { k.Keys = nil }, "ticket_keys: keys are missing; give the server's own one first"},
		"a short name":      {func(k *agentv1.TicketKeys) { k.Keys[1].Name = []byte("x") }, "key of web-1: the name of a ticket key has 1 bytes; give 16"},
		"a short secret":    {func(k *agentv1.TicketKeys) { k.Keys[2].Secret = []byte(secretText) }, "key of web-2: the secret of a ticket key has 16 bytes; give 64"},
		"a name twice":      {func(k *agentv1.TicketKeys) { k.Keys[2].Name = k.Keys[0].Name }, "key of web-2: another key has the same name"},
	} {
		why := rejection(t, configOf(withTickets(c.change)))
		if !strings.Contains(strings.ToLower(why), strings.ToLower(c.want)) || !strings.Contains(why, `server "bk_1" of load balancer lb_1: `) {
			t.Errorf("%s: %s, want %q", name, why, c.want)
		}
		if strings.Contains(why, secretText) {
			t.Errorf("%s: the error contains the secret", name)
		}
	}
	for _, instance := range []string{"../etc", "..", ".", "", "/etc", "a/../../b"} {
		spec := withTickets(nil)
		spec.Instance = instance
		if why := rejection(t, configOf(spec)); !strings.Contains(why, "can't be part of a path") {
			t.Errorf("instance %q: %s", instance, why)
		}
	}
}
