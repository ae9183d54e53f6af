package nftables

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// place is a backend of a service, by their numbers.
type place struct{ service, backend uint64 }

func places(services []datapath.Service) map[place]bool {
	places := map[place]bool{}
	for _, service := range services {
		for _, backend := range service.Backends {
			if service.Keeps(backend) {
				places[place{serviceNumber(service.Key), number(backend.ID)}] = true
			}
		}
	}
	return places
}

// forgetFlows deletes flows that their backend doesn't keep.
func (e *Engine) forgetFlows(services []datapath.Service) error {
	allowed, vanished := places(services), !e.known
	for old := range places(e.services) {
		vanished = vanished || !allowed[old]
	}
	if !vanished {
		return nil
	}
	if err := e.forgetDirect(allowed); err != nil {
		return fmt.Errorf("delete flows of removed backends: %w", err)
	}
	if err := e.forgetTracked(allowed); err != nil {
		return fmt.Errorf("delete tracked connections to removed backends: %w", err)
	}
	return nil
}

func (e *Engine) forgetDirect(allowed map[place]bool) error {
	for _, f := range families {
		for _, name := range e.flowMaps(f).all() {
			if err := e.forgetIn(f, name, allowed); err != nil && !errors.Is(err, unix.ENOENT) {
				return err
			}
		}
	}
	return nil
}

// forgetIn retries when a flow expires between reading and deleting.
func (e *Engine) forgetIn(f *family, name string, allowed map[place]bool) (err error) {
	for range 10 {
		var stale []element
		if err := e.socket.elements(e.directTable, name, func(one element) {
			if !allowed[f.placeOf(one)] {
				stale = append(stale, element{key: one.key})
			}
		}); err != nil {
			return err
		}
		if err = e.send(e.directTable.removeElements(name, stale)); !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	return err
}

func (f *family) placeOf(one element) place {
	if len(one.key) != f.flowBytes() || len(one.value) != 8 {
		return place{}
	}
	return place{service: binary.BigEndian.Uint64(one.key[f.bytes+4:]), backend: binary.BigEndian.Uint64(one.value)}
}

// forgetTracked deletes tracked connections of backends that had a counter and are no
// longer allowed.
func (e *Engine) forgetTracked(allowed map[place]bool) error {
	stale := markFilter{}
	for _, counted := range []map[place]bool{places(e.services), e.countedPlaces()} {
		for one := range counted {
			if !allowed[one] {
				stale[markOf(one.service, one.backend)] = true
			}
		}
	}
	for one := range allowed {
		delete(stale, markOf(one.service, one.backend))
	}
	if len(stale) == 0 {
		return nil
	}
	for _, family := range []netlink.InetFamily{unix.AF_INET, unix.AF_INET6} {
		if _, err := netlink.ConntrackDeleteFilters(netlink.ConntrackTable, family, stale); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	return nil
}

// countedPlaces returns the backends in the NAT table before or after the last change.
func (e *Engine) countedPlaces() map[place]bool {
	places := map[place]bool{}
	state := e.tables[1]
	if state == nil {
		return places
	}
	for id := range state.live {
		var one place
		if id.kind == isCounter && strings.HasPrefix(id.name, "packets_") {
			if _, err := fmt.Sscanf(id.name, "packets_%x_%x", &one.service, &one.backend); err == nil {
				places[one] = true
			}
		}
	}
	return places
}

// markFilter selects tracked connections by mark.
type markFilter map[uint32]bool

// MatchConntrackFlow implements netlink.CustomConntrackFilter.
func (m markFilter) MatchConntrackFlow(flow *netlink.ConntrackFlow) bool { return m[flow.Mark] }
