package lab

import (
	"net/netip"

	"fairlead.dev/agents/internal/lab/topology"
)

// addresses assigns every address in a lab. Nodes, and the numbers within a node, count from 1; subnet
// 0 is the router's.
type addresses struct{ topology *topology.Topology }

// place is one address per family of the lab, with its prefix length.
type place []netip.Prefix

func (a addresses) at(subnet, number int, flatAsWhole bool) place {
	var p place
	if a.topology.IPv4 {
		bits := 24
		if flatAsWhole {
			bits = 16
		}
		p = append(p, netip.PrefixFrom(within(a.topology.Prefixes.Pods4, subnet, number), bits))
	}
	if a.topology.IPv6 {
		bits := 64
		if flatAsWhole {
			bits = 48
		}
		p = append(p, netip.PrefixFrom(within(a.topology.Prefixes.Pods6, subnet, number), bits))
	}
	return p
}

func (a addresses) flat() bool { return a.topology.Network == topology.Flat }

// router is the router's address as nodes see it; in a flat network, as all pods see it.
func (a addresses) router() place { return a.at(0, 1, a.flat()) }

// uplink is a node's address on the router's network; in a flat network, its only address.
func (a addresses) uplink(node int) place {
	if a.flat() {
		return a.at(node, 1, true)
	}
	return a.at(0, 1+node, false)
}

// reflector is the address of reflector number, on the router's network and above all nodes.
func (a addresses) reflector(number int) place { return a.at(0, 200+number, a.flat()) }

// gateway is the default gateway of a node's pods.
func (a addresses) gateway(node int) place {
	if a.flat() {
		return a.router()
	}
	return a.at(node, 1, false)
}

// network is the prefix of all pods of a node.
func (a addresses) network(node int) []netip.Prefix {
	var prefixes []netip.Prefix
	for _, prefix := range a.at(node, 0, false) {
		prefixes = append(prefixes, prefix.Masked())
	}
	return prefixes
}

// pod is the address of pod number of a node.
func (a addresses) pod(node, number int) place { return a.at(node, 1+number, a.flat()) }

// client returns both ends of a client's network.
func (a addresses) client(number int) (router, client place) {
	for _, end := range []struct {
		number int
		into   *place
	}{{1, &router}, {2, &client}} {
		if a.topology.IPv4 {
			*end.into = append(*end.into, netip.PrefixFrom(within(topology.Clients4, number, end.number), 24))
		}
		if a.topology.IPv6 {
			*end.into = append(*end.into, netip.PrefixFrom(within(topology.Clients6, number, end.number), 64))
		}
	}
	return router, client
}

// services returns the prefixes of all service addresses.
func (a addresses) services() []netip.Prefix {
	var prefixes []netip.Prefix
	if a.topology.IPv4 {
		prefixes = append(prefixes, a.topology.Prefixes.Services4)
	}
	if a.topology.IPv6 {
		prefixes = append(prefixes, a.topology.Prefixes.Services6)
	}
	return prefixes
}

// pods returns the prefixes of everything on the data centre's own networks.
func (a addresses) pods() []netip.Prefix {
	var prefixes []netip.Prefix
	if a.topology.IPv4 {
		prefixes = append(prefixes, a.topology.Prefixes.Pods4)
	}
	if a.topology.IPv6 {
		prefixes = append(prefixes, a.topology.Prefixes.Pods6)
	}
	return prefixes
}

// within returns 10.64.subnet.number and fd64:0:0:subnet::number.
func within(prefix netip.Prefix, subnet, number int) netip.Addr {
	bytes := prefix.Addr().AsSlice()
	if prefix.Addr().Is4() {
		bytes[2] += byte(subnet)
		bytes[3] += byte(number)
	} else {
		bytes[7] += byte(subnet)
		bytes[15] += byte(number)
	}
	address, _ := netip.AddrFromSlice(bytes)
	return address
}

// addrs returns the addresses without their prefixes.
func (p place) addrs() []netip.Addr {
	var addrs []netip.Addr
	for _, prefix := range p {
		addrs = append(addrs, prefix.Addr())
	}
	return addrs
}

// defaultRoute returns the default route of an address's family.
func defaultRoute(via netip.Addr) netip.Prefix {
	if via.Is4() {
		return netip.MustParsePrefix("0.0.0.0/0")
	}
	return netip.MustParsePrefix("::/0")
}
