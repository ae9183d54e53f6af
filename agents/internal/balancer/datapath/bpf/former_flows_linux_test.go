package bpf

import (
	"path/filepath"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Without an attachment, nothing shows which maps carried traffic last.
func TestWithoutAnAttachmentTheLastUsedMapsAreTakenOver(t *testing.T) {
	place := newPlace(t)
	first := openAt(t, place, TCX, datapath.Options{})
	set(t, first, tcpService())
	set(t, first)
	set(t, first, tcpService()) // its backends have other numbers than those of a first Set
	port := portTo(t, first, "a", 1000)
	know(t, first, program.TcxMapConnections, clientFlow(port, "b", 0), 0) // only this table has it
	must(t, first.attachment.Remove())
	must(t, first.Close())
	for unused, sortedBefore := 512, 0; sortedBefore == 0; unused++ {
		specs, err := mapsOf(TCX, unused)
		must(t, err)
		if pins.GenerationOf(specs) < filepath.Base(first.pinned.Folder) {
			makeMapsOnly(t, first.folder, unused)
			sortedBefore++
		}
	}
	second := openAt(t, place, TCX, datapath.Options{Connections: 16384})
	set(t, second, tcpService())
	if got := send(t, second, from4(6, port, ack, "")); got != "b" {
		t.Errorf("the connection went to %q", got)
	}
}

// A client may reuse its ports, and reach another backend, between the copy of a flow and
// the replacement of the program.
func TestOfTwoCopiesOfAFlowTheYoungerIsTakenOver(t *testing.T) {
	place := newPlace(t)
	first := openAt(t, place, TCX, datapath.Options{})
	set(t, first, tcpService())
	know(t, first, program.TcxMapConnections, clientFlow(1000, "a", time.Minute), 0)
	know(t, first, program.TcxMapConnections, clientFlow(2000, "a", 0), 0)
	second := openAt(t, place, TCX, datapath.Options{Connections: 8192})
	know(t, first, program.TcxMapConnections, clientFlow(1000, "b", 0), 0)
	know(t, first, program.TcxMapConnections, clientFlow(2000, "b", time.Minute), 0) // as if the next program had it already
	set(t, second, tcpService())
	for port, want := range map[uint16]string{1000: "b", 2000: "a"} {
		if got := send(t, second, from4(6, port, ack, "")); got != want {
			t.Errorf("port %d went to %q, want %s", port, got, want)
		}
	}
}

// Processes of the same layout and of another one created maps, and ended before their
// programs were attached.
func TestFlowsOfMapsThatWereNeverAttachedAreForgotten(t *testing.T) {
	place := newPlace(t)
	first := openAt(t, place, TCX, datapath.Options{})
	set(t, first, tcpService())
	know(t, first, program.TcxMapConnections, clientFlow(1000, "a", time.Minute), 0)
	b := first.published.Names().ByKey[tcpService().Key]["b"]
	for port, size := range map[uint16]int{1000: 8192, 2000: 2048} {
		unused := makeMapsOnly(t, first.folder, size)[program.TcxMapConnections]
		flow := clientFlow(port, "b", 0)
		must(t, unused.Put(program.ToFlowKey(flow.Service, flow.Client), program.FlowEntry{Incarnation: b.Incarnation, Slot: b.Slot, Seen: program.SeenNow()}))
	}
	second := openAt(t, place, TCX, datapath.Options{Connections: 8192})
	set(t, second, tcpService())
	if got := send(t, second, from4(6, 1000, ack, "")); got != "a" {
		t.Errorf("the connection went to %q", got)
	}
	if n := entries(t, second, program.TcxMapConnections); n != 1 {
		t.Errorf("%d connections, want that of the maps in use", n)
	}
}
