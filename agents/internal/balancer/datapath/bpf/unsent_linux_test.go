package bpf

import (
	"bytes"
	"net"
	"testing"
	"time"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/netspace"
)

// neighbourB returns the kernel's entry of backend b's link address.
func neighbourB(t *testing.T, place *netspace.Space) *netlink.Neigh {
	t.Helper()
	eth0, err := place.Links().LinkByName("eth0")
	must(t, err)
	return &netlink.Neigh{LinkIndex: eth0.Attrs().Index, IP: backends4[1].AsSlice(), HardwareAddr: macB, State: netlink.NUD_PERMANENT}
}

// forgotten waits until the programs no longer have b's link address.
func forgotten(t *testing.T, e *Engine) {
	t.Helper()
	late := time.After(10 * time.Second)
	for {
		known := false
		e.mutex.Lock()
		for _, b := range e.model.Slots {
			known = known || b.ID == "b" && b.Entry.Flags&program.BackendResolved != 0
		}
		e.mutex.Unlock()
		if !known {
			return
		}
		select {
		case <-e.updated:
		case <-late:
			t.Fatal("the link address of b is still known")
		}
	}
}

// isQuestion is true for an ARP request.
func isQuestion(frame []byte) bool { return bytes.Equal(frame[12:14], []byte{0x08, 0x06}) }

func TestAFirstPacketWaitsForALinkAddress(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			place := newPlace(t)
			e := openAt(t, place, hook, datapath.Options{})
			set(t, e, filling())
			port := portTo(t, e, "b", 1000) + 1
			for ; send(t, e, from4(6, port, syn, "")) != "b"; port++ {
			}
			sent := from4(6, port, syn, "").bytes()
			must(t, e.Hold(time.Minute))
			for begun := range uint16(500) { // the next one to b that has not started
				if sent = from4(6, port+1+begun, syn, "").bytes(); send(t, e, from4(6, port+1+begun, syn, "")) == "" {
					break
				}
			}
			held := waits(t, e)
			must(t, place.Links().NeighDel(neighbourB(t, place)))
			forgotten(t, e)
			next := wireOf(t, place)
			must(t, held.Release())
			for frame := next(nil); !isQuestion(frame); frame = next(nil) {
				if bytes.Equal(frame[12:], sent[12:]) {
					t.Fatalf("it went to %x before its address was resolved", frame[:6])
				}
			}
			must(t, place.Links().NeighSet(neighbourB(t, place)))
			for {
				frame := next(nil)
				if !bytes.Equal(frame[12:], sent[12:]) {
					continue
				}
				if !bytes.Equal(frame[:6], macB) || !bytes.Equal(frame[6:12], ours) {
					t.Fatalf("it went to %x from %x", frame[:6], frame[6:12])
				}
				return
			}
		})
	}
}

func TestSetSolicitsLinkAddresses(t *testing.T) {
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			place := newPlace(t)
			must(t, place.Links().NeighDel(neighbourB(t, place)))
			e := openAt(t, place, hook, datapath.Options{})
			next := wireOf(t, place)
			set(t, e, tcpService())
			for !isQuestion(next(nil)) {
			}
		})
	}
}

// The kernel ends the subscription if updates are not read in time.
func TestNeighboursAreStillFollowedAfterTooManyUpdates(t *testing.T) {
	place := newPlace(t)
	e := openAt(t, place, TCX, datapath.Options{})
	set(t, e, tcpService())
	moving := neighbourB(t, place)
	moving.HardwareAddr = bytes.Clone(macB)
	e.mutex.Lock() // no goroutine reads
	for i := range 20_000 {
		moving.HardwareAddr[4] = byte(i)
		must(t, place.Links().NeighSet(moving))
	}
	e.mutex.Unlock()
	moving.HardwareAddr = net.HardwareAddr{2, 0, 0, 0, 0xee, 0xee}
	knows := func() bool {
		e.mutex.Lock()
		defer e.mutex.Unlock()
		hardware, _ := e.network.LinkAddress(neighbour.Hop{Next: backends4[1], Link: moving.LinkIndex})
		return hardware == [6]byte(moving.HardwareAddr)
	}
	must(t, place.Links().NeighSet(moving))
	for began := time.Now(); !knows(); time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("where it moved at last is not known")
		}
	}
}
