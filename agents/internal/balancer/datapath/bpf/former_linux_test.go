package bpf

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestAnotherLayoutTakesTheFlowsOver(t *testing.T) {
	place := newPlace(t)
	first := openAt(t, place, TCX, datapath.Options{})
	set(t, first, tcpService())
	port := portTo(t, first, "a", 1000)
	send(t, first, from4(6, port, ack, ""))
	set(t, first, tcpService(state("a", datapath.Draining)))
	must(t, first.Close())
	must(t, os.Remove(filepath.Join(first.ours, TcxMapBackendDrops))) // and it did not know all that we do
	second := openAt(t, place, TCX, datapath.Options{Connections: 8192})
	if changes := set(t, second, tcpService(state("a", datapath.Draining))); changes != 0 {
		t.Errorf("taking over made %d changes", changes)
	}
	if got := send(t, second, from4(6, port, ack, "")); got != "a" {
		t.Errorf("the connection went to %q", got)
	}
	if left, _ := filepath.Glob(filepath.Join(second.folder, generation+"*")); len(left) != 1 {
		t.Errorf("generations %q, want one", left)
	}
	observed, err := second.Observe(t.Context())
	must(t, err)
	if counts := observed.Services[0].Counts; counts.Connections != 1 || counts.LiveConnections != 1 {
		t.Errorf("counts %+v, want the one connection", counts)
	}
}

// A process made maps of its own, and ended before packets went by them. The one that
// carries them is replaced by another of either layout, or of a third.
func TestMapsThatNoPacketWentByAreNoFormerState(t *testing.T) {
	const carries = 4096
	for name, next := range map[string]int{"the one before comes back": carries, "it is tried again": 8192, "a third comes": 16384} {
		t.Run(name, func(t *testing.T) {
			place := newPlace(t)
			first := openAt(t, place, TCX, datapath.Options{Connections: carries})
			set(t, first, tcpService())
			port := portTo(t, first, "a", 1000)
			send(t, first, from4(6, port, ack, ""))
			draining := tcpService(state("a", datapath.Draining))
			set(t, first, draining)
			must(t, first.Close())
			for _, unused := range []int{8192, 1024, 2048} {
				makeMapsOnly(t, first.folder, unused)
			}
			second := openAt(t, place, TCX, datapath.Options{Connections: next})
			if got := send(t, second, from4(6, port, ack, "")); got != "a" {
				t.Errorf("before the first Set, the connection went to %q", got)
			}
			if changes := set(t, second, draining); changes != 0 {
				t.Errorf("taking over made %d changes", changes)
			}
			if got := send(t, second, from4(6, port, ack, "")); got != "a" {
				t.Errorf("the connection went to %q", got)
			}
			if left, _ := filepath.Glob(filepath.Join(second.folder, generation+"*")); len(left) != 1 {
				t.Errorf("generations %q, want one", left)
			}
		})
	}
}

func makeMapsOnly(t *testing.T, folder string, connections int) {
	t.Helper()
	specs, err := mapsOf(TCX, connections)
	must(t, err)
	maps, err := openMaps(filepath.Join(folder, generationOf(specs)), specs)
	must(t, err)
	closeMaps(maps)
}
