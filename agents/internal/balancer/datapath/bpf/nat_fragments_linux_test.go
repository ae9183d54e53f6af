package bpf

import (
	"encoding/binary"
	"net/netip"
	"testing"
)

// A backend's fragmented reply vanished in the host without being counted.
func TestAFragmentedReplyIsCountedByItsFirstFragment(t *testing.T) {
	e := natEngine(t)
	for _, c := range []struct {
		name                          string
		client, service, own, backend netip.Addr
	}{
		{"IPv4", client4, service4, ourIPv4, backends4[0]},
		{"IPv6", client6, service6, ourIPv6, backends6[0]},
	} {
		t.Run(c.name, func(t *testing.T) {
			port := nextPort(t, e, 0)
			in, out := natPair(17, 0, c.client, c.service, c.own, c.backend, macA, 5000, port)
			exchange(t, e, "there", in.bytes(), out.bytes())
			fragment := func(toPort, offset uint16, more bool) frame {
				f := frame{to: ours, from: macA, source: c.backend, dest: c.own, protocol: 17,
					payload: segment(17, netip.AddrPortFrom(c.backend, natBackendPort), netip.AddrPortFrom(c.own, toPort), 0, "hello")}
				if f.source.Is4() {
					f.fragment = offset / 8
					if more {
						f.fragment |= 0x2000
					}
					return f
				}
				f.firstExtension, f.options = 44, []byte{17, 0, 0, 0, 0, 0, 0, 1}
				binary.BigEndian.PutUint16(f.options[2:], offset)
				if more {
					f.options[3] |= 1
				}
				return f
			}
			for _, sent := range []struct {
				name    string
				frame   frame
				verdict uint32
				counted uint64
			}{
				{"the first", fragment(port, 0, true), verdictDrop, 1},
				{"one in the middle", fragment(port, 1480, true), verdictNext, 0},
				{"the last", fragment(port, 2960, false), verdictNext, 0},
				{"the first of the host's own flow", fragment(port+1, 0, true), verdictNext, 0},
			} {
				before := dropsOf(t, e)["fragment"]
				verdict, _, err := e.program.Test(sent.frame.bytes())
				must(t, err)
				if counted := dropsOf(t, e)["fragment"] - before; verdict != sent.verdict || counted != sent.counted {
					t.Errorf("%s: verdict %d, %d are counted", sent.name, verdict, counted)
				}
			}
			observed, err := e.Observe(t.Context())
			must(t, err)
			var ofBackend uint64
			for _, service := range observed.Services {
				for _, backend := range service.Backends {
					if service.Key.Address == c.service && backend.ID == "a" {
						ofBackend += backend.Drops["fragment"]
					}
				}
			}
			if ofBackend != 1 {
				t.Errorf("%d are counted for the backend, want 1", ofBackend)
			}
		})
	}
}
