package neighbour

import (
	"fmt"
	"os"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// PortsFor reads which ports are left for translation, if a service needs some.
func (n *Network) PortsFor(services []datapath.Service) error {
	if !slices.ContainsFunc(services, func(s datapath.Service) bool { return s.Delivery == datapath.NAT }) {
		return nil
	}
	return n.Within(n.readPorts)
}

// CheckPorts rejects a service with NAT if no port is left for translation.
func (n *Network) CheckPorts(s *datapath.Service) error {
	if s.Delivery == datapath.NAT && n.NATPorts == 0 {
		return fmt.Errorf("can't be translated, because net.ipv4.ip_local_port_range leaves no port for it: run `sysctl -w net.ipv4.ip_local_port_range=\"32768 60999\"`, or choose another delivery")
	}
	return nil
}

// readPorts takes the larger range beside the kernel's range for the replica's own
// connections.
func (n *Network) readPorts() error {
	const path = "/proc/sys/net/ipv4/ip_local_port_range"
	text, err := os.ReadFile(path) // depends on the namespace of the reading thread
	var low, high uint16
	if err == nil {
		_, err = fmt.Sscan(string(text), &low, &high)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	const first = 1024
	if low > first && low-first >= 65535-high {
		n.NATFirst, n.NATPorts = first, low-first
	} else {
		from := max(int(high)+1, first) // 65536 when none is left
		n.NATFirst, n.NATPorts = uint16(from), uint16(65536-from)
	}
	return nil
}
