package bpf

import (
	"fmt"
	"os"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// portsFor reads which ports are left for translation, if a service needs some.
func (n *network) portsFor(services []datapath.Service) error {
	if !slices.ContainsFunc(services, func(s datapath.Service) bool { return s.Delivery == datapath.NAT }) {
		return nil
	}
	return n.within(n.readPorts)
}

// checkPorts rejects a service with NAT if no port is left for translation.
func (n *network) checkPorts(s *datapath.Service) error {
	if s.Delivery == datapath.NAT && n.natPorts == 0 {
		return fmt.Errorf("can't be translated, because net.ipv4.ip_local_port_range leaves no port for it: run `sysctl -w net.ipv4.ip_local_port_range=\"32768 60999\"`, or choose another delivery")
	}
	return nil
}

// readPorts takes the larger range beside the kernel's range for the replica's own
// connections.
func (n *network) readPorts() error {
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
		n.natFirst, n.natPorts = first, low-first
	} else {
		from := max(int(high)+1, first) // 65536 when none is left
		n.natFirst, n.natPorts = uint16(from), uint16(65536-from)
	}
	return nil
}
