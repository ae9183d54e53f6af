package neighbour

import (
	"fmt"
	"net/netip"

	"github.com/vishvananda/netlink"
)

type neighbour struct {
	link     int
	hardware [6]byte
}

// known are the states in which the kernel itself would send to a neighbour.
const known = netlink.NUD_REACHABLE | netlink.NUD_STALE | netlink.NUD_DELAY | netlink.NUD_PROBE | netlink.NUD_PERMANENT

func (n *Network) readNeighbours() error {
	list, err := n.Links.NeighList(0, netlink.FAMILY_ALL)
	if err != nil {
		return fmt.Errorf("list neighbours: %w", err)
	}
	clear(n.neighbour)
	for _, found := range list {
		n.Note(found)
	}
	return nil
}

// Note records one entry of the neighbour table and returns its address.
func (n *Network) Note(found netlink.Neigh) (about netip.Addr, changed bool) {
	ip, ok := netip.AddrFromSlice(found.IP)
	if !ok {
		return about, false
	}
	ip = ip.Unmap()
	before, had := n.neighbour[ip]
	if found.State&known == 0 || len(found.HardwareAddr) != 6 {
		if had && before.link == found.LinkIndex {
			delete(n.neighbour, ip)
			return ip, true
		}
		return ip, false
	}
	now := neighbour{link: found.LinkIndex, hardware: [6]byte(found.HardwareAddr)}
	n.neighbour[ip] = now
	return ip, !had || before != now
}

// LinkAddress returns the link address of a next hop, if it is known.
func (n *Network) LinkAddress(h Hop) (hardware [6]byte, known bool) {
	found, known := n.neighbour[h.Next]
	return found.hardware, known && found.link == h.Link
}

// IsNeighbour reports whether the link address of an address is known, by any interface.
func (n *Network) IsNeighbour(address netip.Addr) bool {
	_, known := n.neighbour[address]
	return known
}

// Solicit makes the kernel resolve a link address; the answer arrives as a change of the
// neighbour table.
func (n *Network) Solicit(h Hop) error {
	err := n.Links.NeighSet(&netlink.Neigh{LinkIndex: h.Link, IP: h.Next.AsSlice(), State: netlink.NUD_NONE, Flags: netlink.NTF_USE})
	if err != nil {
		return fmt.Errorf("solicit the link address of %s: %w", h.Next, err)
	}
	return nil
}

// Follow delivers changes of the neighbour table until done is closed.
func (n *Network) Follow(done <-chan struct{}) (<-chan netlink.NeighUpdate, error) {
	updates := make(chan netlink.NeighUpdate, 256)
	err := netlink.NeighSubscribeWithOptions(updates, done, netlink.NeighSubscribeOptions{Namespace: &n.Space, ListExisting: true})
	if err != nil {
		return nil, fmt.Errorf("follow neighbours: %w", err)
	}
	return updates, nil
}
