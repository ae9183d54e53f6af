package bpf

import (
	"math"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func privately(changes ...func(*datapath.Backend)) datapath.Service {
	service := tcpService(changes...)
	service.Chooser = datapath.Private
	return service
}

func TestConnectionsAreDrawnByWeight(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			set(t, e, privately())
			must(t, e.Weigh(tcpService().Key, map[string]uint32{"a": 3_000, "b": 1_000}))
			const times = 4000
			toA := 0
			for port := range uint16(times) {
				if send(t, e, from4(6, 1000+port, syn, "")) == "a" {
					toA++
				}
			}
			// 6 standard deviations of a binomial distribution.
			if share, most := float64(toA)/times, 6*math.Sqrt(0.75*0.25/times); math.Abs(share-0.75) > most {
				t.Errorf("%.3f of connections went to a, want 0.75 ± %.3f", share, most)
			}
		})
	}
}

// The first packet is drawn, and all later ones follow it.
func TestADrawnConnectionStays(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			set(t, e, privately())
			for port := range uint16(50) {
				first := send(t, e, from4(6, 1000+port, syn, ""))
				for _, flags := range []byte{syn, ack, ack, fin | ack} {
					if got := send(t, e, from4(6, 1000+port, flags, "")); got != first {
						t.Errorf("port %d: a packet with flags %x went to %q, the first to %q", port, flags, got, first)
					}
				}
			}
			if placed, err := e.MisplacedNow(t.Context()); err != nil || len(placed) != 0 {
				t.Errorf("%d flows are announced (%v): other replicas have no use for them", len(placed), err)
			}
		})
	}
}

func TestABackendThatIsDownIsNotDrawn(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, privately())
	must(t, e.Weigh(tcpService().Key, map[string]uint32{"a": 1_000_000, "b": 1}))
	set(t, e, privately(func(b *datapath.Backend) { b.Up = b.ID != "a" }))
	for port := range uint16(50) {
		if got := send(t, e, from4(6, 1000+port, syn, "")); got != "b" {
			t.Errorf("a connection went to %q", got)
		}
	}
	set(t, e, privately())
	if got := send(t, e, from4(6, 5000, syn, "")); got != "a" {
		t.Errorf("after it is up again, with the weight of before, a connection went to %q", got)
	}
}

// Each replica draws for itself, so a connection that moves here is unknown. A backend
// resets it, and nothing is stored.
func TestAnUnknownConnectionIsNotStored(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, privately())
	if got := send(t, e, from4(6, 1000, ack, "")); got == "" {
		t.Error("no backend got it")
	}
	if n := entries(t, e, "connections"); n != 0 {
		t.Errorf("%d connections are stored", n)
	}
}

func TestTooManyPrivateBackendsAreAFailure(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	service := privately()
	for len(service.Backends) < 1025 {
		one := service.Backends[0]
		one.ID = strings.Repeat("x", len(service.Backends))
		service.Backends = append(service.Backends, one)
	}
	outcome, err := e.Set(t.Context(), []datapath.Service{service})
	must(t, err)
	if len(outcome.Failures) != 1 || !strings.Contains(outcome.Failures[0].Reason, "a private chooser has room for 1024") {
		t.Errorf("failures %v", outcome.Failures)
	}
}
