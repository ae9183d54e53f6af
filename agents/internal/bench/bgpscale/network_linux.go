package bgpscale

import (
	"errors"
	"fmt"
	"net/netip"
	"os"

	"fairlead.dev/agents/internal/netspace"
)

// network is a switch with the reflector, the router, and one host with the addresses of all speakers.
type network struct {
	spaces                      []*netspace.Space
	reflector, router, speakers *netspace.Space
	addresses                   []netip.Addr
}

// build returns what it created, also on failure.
func build(speakers int) (n *network, err error) {
	n = &network{}
	middle, err := n.space("switch")
	if err != nil {
		return n, err
	}
	if err := middle.AddBridge("lan"); err != nil {
		return n, err
	}
	for i := range speakers {
		n.addresses = append(n.addresses, netip.AddrFrom4([4]byte{10, 79, 1, byte(i + 1)}))
	}
	for _, host := range []struct {
		name      string
		space     **netspace.Space
		addresses []netip.Addr
	}{{"reflector", &n.reflector, []netip.Addr{reflector}}, {"router", &n.router, []netip.Addr{router}}, {"speakers", &n.speakers, n.addresses}} {
		if *host.space, err = n.space(host.name); err != nil {
			return n, err
		}
		own := make([]netip.Prefix, len(host.addresses))
		for i, address := range host.addresses {
			own[i] = netip.PrefixFrom(address, lan.Bits())
		}
		if err := netspace.Connect(
			netspace.End{Space: middle, Interface: host.name, Bridge: "lan"},
			netspace.End{Space: *host.space, Interface: link, Addresses: own},
		); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (n *network) space(name string) (*netspace.Space, error) {
	space, err := netspace.New(fmt.Sprintf("flscale%d-%s", os.Getpid(), name))
	if err == nil {
		n.spaces = append(n.spaces, space)
	}
	return space, err
}

func (n *network) delete() (err error) {
	for _, space := range n.spaces {
		err = errors.Join(err, space.Delete())
	}
	return err
}
