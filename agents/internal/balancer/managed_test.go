package balancer

import (
	"context"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/names"
)

// probed is a learner whose servers begin their tickets with these names, by the last number of their address.
func probed(observed *sync.Map) *learner {
	return &learner{wake: func() {}, seen: map[datapath.Key]map[names.Name]time.Time{}, unmanaged: map[backendKey]*unmanaged{}, probe: func(_ context.Context, at netip.AddrPort, _ string) []names.Finding {
		name, _ := observed.Load(at.Addr().As4()[3])
		return []names.Finding{{Kind: names.Stable, Names: []names.Name{name.(names.Name)}}}
	}}
}

func ticketName(backend string, epoch int) names.Name { return names.Name(managedName(backend, epoch)) }

// Backend a has the address 10.0.0.1, and b 10.0.0.2.
func TestManagedNamesAreUsedBeforeAndBesideObservedOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := names.Name{9}
		observed := &sync.Map{}
		observed.Store(byte(1), other)
		observed.Store(byte(2), ticketName("a", 2)) // b has a key of a
		l := probed(observed)
		defer l.close()
		spec := desired(t, config(1, bySession(managed)))
		service := &spec.Services[0]
		l.set(spec.Services)
		own := func(id string, more ...names.Name) []names.Name {
			return append([]names.Name{ticketName(id, 1), ticketName(id, 2)}, more...)
		}
		check := func(when string, want map[string][]names.Name, former ...names.Name) {
			t.Helper()
			known, got := l.of(service, service.Session.Backends, time.Now())
			if !reflect.DeepEqual(known, want) || len(got)+len(former) > 0 && !reflect.DeepEqual(got, former) {
				t.Errorf("%s: %v, former %v", when, known, got)
			}
		}
		check("before a probe", map[string][]names.Name{"a": own("a"), "b": own("b")})
		time.Sleep(2 * time.Second)
		synctest.Wait()
		check("after one", map[string][]names.Name{"a": own("a", other), "b": own("b")})

		before := service.Session.Backends["b"]
		delete(service.Session.Backends, "b")
		check("without a companion", map[string][]names.Name{"a": own("a", other)}, ticketName("b", 1), ticketName("b", 2))
		service.Session.Backends["b"] = SessionBackend{Number: before.Number, Companion: before.Companion, Names: []names.Name{ticketName("b", 2)}}
		check("after the drop of an epoch", map[string][]names.Name{"a": own("a", other), "b": {ticketName("b", 2)}}, ticketName("b", 1))
	})
}

func TestAServerWithAnotherKeyThanItsManagedOnesIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		observed := &sync.Map{}
		observed.Store(byte(1), names.Name{9})
		observed.Store(byte(2), ticketName("b", 2)) // its former key is managed, too
		l := probed(observed)
		defer l.close()
		spec := desired(t, config(1, bySession(managed)))
		service := &spec.Services[0]
		l.set(spec.Services)
		pass := func(span time.Duration) []string {
			time.Sleep(span)
			synctest.Wait()
			var messages []string
			for _, event := range l.foreign(spec.Services, time.Now()) {
				messages = append(messages, event.Reason+" "+event.Message)
			}
			return messages
		}
		message := func(id string) string {
			at := 0
			for service.Wanted.Backends[at].ID != id {
				at++
			}
			status := &agentv1.SessionBackendStatus{}
			l.describe(service, service.Wanted.Backends[at], nil, status)
			return status.GetTickets() + ": " + status.GetMessage()
		}
		if events := pass(2 * time.Second); len(events) > 0 {
			t.Errorf("at once: %v", events)
		}
		const reason = "egins its tickets with the name 09000000000000000000000000000000, which isn't that of a managed key: set these in its configuration, and reload it."
		if got := message("a"); got != "stable: It b"+reason {
			t.Errorf("status %q", got)
		}
		if got := message("b"); got != "stable: " {
			t.Errorf("status of a server with its former key: %q", got)
		}
		if events := pass(2 * time.Minute); len(events) > 0 {
			t.Errorf("before a pod has read its Secret: %v", events)
		}
		events := pass(foreignFor)
		if len(events) != 1 || !strings.HasPrefix(events[0], "TicketNameForeign Backend a of ") || !strings.HasSuffix(events[0], "b"+reason) {
			t.Errorf("events %v", events)
		}
		if again := pass(foreignFor); len(again) > 0 {
			t.Errorf("again: %v", again)
		}
		observed.Store(byte(1), ticketName("a", 1))
		if events := pass(5 * time.Minute); len(events) > 0 || message("a") != "stable: " {
			t.Errorf("with its managed key: %v, %s", events, message("a"))
		}
	})
}
