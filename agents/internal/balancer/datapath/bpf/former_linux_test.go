package bpf

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

func TestAnotherLayoutTakesTheFlowsOver(t *testing.T) {
	place := newPlace(t)
	first := openAt(t, place, TCX, datapath.Options{})
	set(t, first, tcpService())
	port := portTo(t, first, "a", 1000)
	send(t, first, from4(6, port, ack, ""))
	set(t, first, tcpService(inState("a", datapath.Draining)))
	must(t, first.Close())
	must(t, os.Remove(filepath.Join(first.pinned.Folder, program.TcxMapBackendDrops))) // and it lacked one of today's maps
	second := openAt(t, place, TCX, datapath.Options{Connections: 8192})
	if changes := set(t, second, tcpService(inState("a", datapath.Draining))); changes != 0 {
		t.Errorf("taking over made %d changes", changes)
	}
	if got := send(t, second, from4(6, port, ack, "")); got != "a" {
		t.Errorf("the connection went to %q", got)
	}
	if left, _ := filepath.Glob(filepath.Join(second.folder, "maps-*")); len(left) != 1 {
		t.Errorf("generations %q, want one", left)
	}
	observed, err := second.Observe(t.Context())
	must(t, err)
	if counts := observed.Services[0].Counts; counts.Connections != 1 || counts.LiveConnections != 1 {
		t.Errorf("counts %+v, want the one connection", counts)
	}
}

// A layout with shorter values can still be read: backends of translated flows, and
// counts so far. A flow's replies are counted for its backend after the next packet of
// its client.
func TestShorterValuesCanStillBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		of     func([]uint32) uint32
		counts uint64 // replies to be counted in the end
	}{
		"of the oldest layout": {slices.Min[[]uint32], 1},
		"of the last one":      {slices.Max[[]uint32], 2},
	} {
		t.Run(name, func(t *testing.T) { readsShorter(t, c.of, c.counts) })
	}
}

func readsShorter(t *testing.T, of func([]uint32) uint32, counts uint64) {
	place := newPlace(t)
	first := openAt(t, place, TCX, datapath.Options{})
	service := newService(service4, 80, datapath.TCP, datapath.NAT, only("a"))
	set(t, first, service)
	port := nextPort(t, first, 0)
	there := func(e *Engine, flags byte) {
		t.Helper()
		in, out := natPair(6, flags, client4, service4, ourIPv4, backends4[0], macA, 5000, port)
		exchange(t, e, "there", in.bytes(), out.bytes())
	}
	passed := func(e *Engine) uint64 {
		t.Helper()
		observed, err := e.Observe(t.Context())
		must(t, err)
		return observed.Services[0].Counts.ToClients.Bytes
	}
	there(first, syn)
	there(first, ack)
	sent, received := answer(ack, port)
	exchange(t, first, "back", sent.bytes(), received.bytes())
	length := uint64(len(sent.bytes()))
	if got := passed(first); got != length {
		t.Fatalf("%d bytes passed to clients, want %d", got, length)
	}
	must(t, first.Close())
	for name, sizes := range program.FormerSizes {
		if name == program.TcxMapSettingsMap {
			continue // the former layout is found by that of the attached program
		}
		shorten(t, filepath.Join(first.pinned.Folder, name), of(sizes))
	}

	second := openAt(t, place, TCX, datapath.Options{Connections: 8192})
	set(t, second, service)
	exchange(t, second, "back, before any packet of the client", sent.bytes(), received.bytes())
	there(second, ack)
	exchange(t, second, "back", sent.bytes(), received.bytes())
	if got := passed(second); got != counts*length {
		t.Errorf("%d bytes passed to clients since, want %d", got, counts*length)
	}
	observed, err := second.Observe(t.Context())
	must(t, err)
	if counts := observed.Services[0].Counts; counts.Packets != 3 || counts.Connections != 1 {
		t.Errorf("counts %+v, want those of three packets and one connection", counts)
	}
}

// shorten replaces a map with one of shorter values.
func shorten(t *testing.T, pin string, size uint32) {
	t.Helper()
	long, err := ebpf.LoadPinnedMap(pin, nil)
	must(t, err)
	defer long.Close()
	short, err := ebpf.NewMap(&ebpf.MapSpec{Type: long.Type(), KeySize: long.KeySize(), ValueSize: size, MaxEntries: long.MaxEntries(), Flags: long.Flags()})
	must(t, err)
	defer short.Close()
	var key []byte
	if long.Type() == ebpf.PerCPUArray {
		for index := range long.MaxEntries() {
			var perCPU [][]byte
			must(t, long.Lookup(index, &perCPU))
			for i := range perCPU {
				perCPU[i] = perCPU[i][:size]
			}
			must(t, short.Put(index, perCPU))
		}
	} else {
		var value []byte
		entries := long.Iterate()
		for entries.Next(&key, &value) {
			must(t, short.Put(key, value[:size]))
		}
		must(t, entries.Err())
	}
	must(t, os.Remove(pin))
	must(t, short.Pin(pin))
}

// A process created its own maps, and ended before its program was attached. The process
// that carries traffic is replaced by another of either layout, or of a third.
func TestMapsThatWereNeverAttachedAreIgnored(t *testing.T) {
	const carries = 4096
	for name, next := range map[string]int{"the one before comes back": carries, "it is tried again": 8192, "a third comes": 16384} {
		t.Run(name, func(t *testing.T) {
			place := newPlace(t)
			first := openAt(t, place, TCX, datapath.Options{Connections: carries})
			set(t, first, tcpService())
			port := portTo(t, first, "a", 1000)
			send(t, first, from4(6, port, ack, ""))
			draining := tcpService(inState("a", datapath.Draining))
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
			if left, _ := filepath.Glob(filepath.Join(second.folder, "maps-*")); len(left) != 1 {
				t.Errorf("generations %q, want one", left)
			}
		})
	}
}

// makeMapsOnly creates the maps of a process that never attaches its program.
func makeMapsOnly(t *testing.T, folder string, connections int) map[string]*ebpf.Map {
	t.Helper()
	specs, err := mapsOf(TCX, connections)
	must(t, err)
	maps, err := pins.OpenMaps(folder, specs)
	must(t, err)
	t.Cleanup(func() { pins.CloseMaps(maps) })
	return maps
}
