package signals

import (
	"fmt"
	"net/netip"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
)

// Config is everything that is counted.
type Config struct {
	Services []Service
	Nodes    []Node
}

// Service is one with backends at this node.
type Service struct {
	Number   uint16 // 1 to program.LastNumber, and the same for package sockets
	Key      datapath.Key
	Cores    float64          // that its backends may use together
	Backends []netip.AddrPort // at this node
}

// Node is where clients are.
type Node struct {
	Number   uint32 // 1 or higher, and not that of another node as long as the programs are attached
	Prefixes []netip.Prefix
}

const mostCores = 1 << 16

// Check returns what is wrong with a config.
func (c Config) Check() error {
	numbers := map[uint16]datapath.Key{}
	owners := map[datapath.Key]uint16{}
	for _, service := range c.Services {
		if service.Number == 0 || service.Number > program.LastNumber {
			return fmt.Errorf("service %s has the number %d: give 1 to %d", name(service.Key), service.Number, program.LastNumber)
		}
		if other, ok := numbers[service.Number]; ok {
			return fmt.Errorf("services %s and %s both have the number %d", name(other), name(service.Key), service.Number)
		}
		numbers[service.Number] = service.Key
		if !(service.Cores > 0 && service.Cores <= mostCores) {
			return fmt.Errorf("service %s has %v cores: give more than 0 and at most %d", name(service.Key), service.Cores, mostCores)
		}
		for _, backend := range service.Backends {
			key := keyOf(service, backend)
			if owner, ok := owners[key]; ok && owner != service.Number {
				return fmt.Errorf("backend %s is of services %d and %d: its requests can be counted for one only", name(key), owner, service.Number)
			}
			owners[key] = service.Number
		}
	}
	return checkNodes(c.Nodes)
}

func checkNodes(nodes []Node) error {
	owners := map[netip.Prefix]uint32{}
	for _, node := range nodes {
		if node.Number == 0 {
			return fmt.Errorf("the node of %v has the number 0, which is for unknown nodes", node.Prefixes)
		}
		for _, prefix := range node.Prefixes {
			if owner, ok := owners[prefix.Masked()]; ok && owner != node.Number {
				return fmt.Errorf("prefix %s is of nodes %d and %d", prefix, owner, node.Number)
			}
			owners[prefix.Masked()] = node.Number
		}
	}
	return nil
}

func keyOf(service Service, backend netip.AddrPort) datapath.Key {
	return datapath.Key{Address: backend.Addr().Unmap(), Port: backend.Port(), Protocol: service.Key.Protocol}
}

func name(key datapath.Key) string {
	return netip.AddrPortFrom(key.Address, key.Port).String()
}
