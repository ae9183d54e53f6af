package bpf

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Promise: flows store the way to their backend, and follow each change of it at once.
func TestFlowsFollowAChangedWay(t *testing.T) {
	for name, hook := range map[string]Hook{"tcx": TCX, "xdp": XDP} {
		t.Run(name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			set(t, e, tcpService(only("a")))
			forward(t, e, "a")
			if got := storedWays(t, e); got != settingsOf(t, e).Ways || got == 0 {
				t.Fatalf("the flow has the way %d, the newest is %d", got, settingsOf(t, e).Ways)
			}

			for slot, b := range e.model.Slots {
				entry := b.Entry
				entry.To = [6]uint8(macB)
				must(t, e.writeBackend(slot, entry))
			}
			forward(t, e, "b")

			set(t, e, tcpService(only("a"))) // repairs it
			forward(t, e, "a")
		})
	}
}

// Promise: with the way stored, a packet is counted, and an end is noticed, as before.
func TestAStoredWayHidesNothing(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService(only("a")))
	forward(t, e, "a")
	before, err := e.Observe(t.Context())
	must(t, err)
	forward(t, e, "a")
	after, err := e.Observe(t.Context())
	must(t, err)
	if now, then := after.Services[0].Backends[0].Counts, before.Services[0].Backends[0].Counts; now.Packets != then.Packets+2 || now.Bytes <= then.Bytes {
		t.Errorf("two packets changed the counts from %+v to %+v", then, now)
	}

	send(t, e, from4(6, 5000, ack|rst, ""))
	if flow := flowOf(t, e); flow.Flags&uint8(program.TcxFlowFlagsRESET) == 0 {
		t.Errorf("a reset was not noticed: %+v", flow)
	}
	send(t, e, from4(6, 5000, ack, "more"))
	if flow := flowOf(t, e); flow.Flags&uint8(program.TcxFlowFlagsRESET) != 0 {
		t.Errorf("data after a forged reset was not noticed: %+v", flow)
	}
}

// forward sends two packets of one connection: the first one stores its way.
func forward(t *testing.T, e *Engine, want string) {
	t.Helper()
	for range 2 {
		if got := send(t, e, from4(6, 5000, ack, "hello")); got != want {
			t.Fatalf("a packet went to %q, want %q", got, want)
		}
	}
}

func flowOf(t *testing.T, e *Engine) (flow program.FlowEntry) {
	t.Helper()
	must(t, program.InBatches(e.maps[program.TcxMapConnections], func(_ program.FlowKey, entry program.FlowEntry) { flow = entry }))
	return flow
}

func storedWays(t *testing.T, e *Engine) uint32 { return flowOf(t, e).Ways }

func settingsOf(t *testing.T, e *Engine) (settings program.Settings) {
	t.Helper()
	must(t, e.maps[program.TcxMapSettingsMap].Lookup(uint32(0), &settings))
	return settings
}
