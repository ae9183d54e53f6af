package ipvs

import (
	"fmt"
	"net"
	"net/netip"
	"slices"

	"github.com/moby/ipvs"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Schedulers are those that a service may request.
var Schedulers = []string{"rr", "wrr", "lc", "wlc", "sh", "dh", "sed", "nq", "mh"}

const (
	flagHashed = 0x02 // set by the kernel on every service
	flagOther  = 0x08 // mh and sh pick another backend when one has weight 0, instead of rejecting
	flagPort   = 0x10 // mh hashes the client's port too, so that one client's connections are spread
)

var methods = map[datapath.Delivery]uint32{
	datapath.Direct: ipvs.ConnFwdDirectRoute, datapath.Tunnel: ipvs.ConnFwdTunnel, datapath.NAT: ipvs.ConnFwdMasq,
}

// service is a kernel service, wanted or existing.
type service struct {
	key      datapath.Key
	kernel   *ipvs.Service
	backends []*ipvs.Destination
	ids      map[netip.AddrPort]string // of wanted backends
}

func (s *service) at(at netip.AddrPort) *ipvs.Destination {
	for _, backend := range s.backends {
		if addressOf(backend) == at {
			return backend
		}
	}
	return nil
}

func addressOf(backend *ipvs.Destination) netip.AddrPort {
	address, _ := netip.AddrFromSlice(backend.Address)
	return netip.AddrPortFrom(address, backend.Port)
}

// translate returns what the kernel should have.
func translate(services []datapath.Service, mark uint32) []*service {
	wanted := make([]*service, 0, len(services))
	for i := range services {
		one, err := translateOne(&services[i])
		if err != nil {
			continue // never: Set has checked them
		}
		one.kernel.Timeout = mark
		wanted = append(wanted, one)
	}
	return wanted
}

func translateOne(s *datapath.Service) (*service, error) {
	kernel := &ipvs.Service{
		Address: net.IP(s.Key.Address.AsSlice()), Port: s.Key.Port, Protocol: uint16(s.Key.Protocol),
		SchedName: s.Scheduler, AddressFamily: unix.AF_INET, Netmask: 0xffffffff,
	}
	if s.Key.Address.Is6() {
		kernel.AddressFamily, kernel.Netmask = unix.AF_INET6, 128
	}
	if kernel.SchedName == "" {
		kernel.SchedName = "mh"
	}
	switch kernel.SchedName {
	case "mh":
		kernel.Flags = flagOther | flagPort
	case "sh":
		kernel.Flags = flagOther
	}
	if !slices.Contains(Schedulers, kernel.SchedName) {
		return nil, fmt.Errorf("scheduler %q is unknown; give one of %q, or none for mh", s.Scheduler, Schedulers)
	}
	one := &service{key: s.Key, kernel: kernel, ids: map[netip.AddrPort]string{}}
	for _, backend := range s.Backends {
		at := netip.AddrPortFrom(backend.Address, backend.Port)
		if one.at(at) != nil {
			return nil, fmt.Errorf("backend %q: %s is another backend's; IP_VS distinguishes backends by address and port", backend.ID, at)
		}
		one.ids[at] = backend.ID
		if !s.Keeps(backend) {
			continue
		}
		weight := int(backend.Weight)
		if backend.State == datapath.Draining || !backend.Up {
			weight = 0 // keeps its connections and gets no new ones
		}
		one.backends = append(one.backends, &ipvs.Destination{
			Address: net.IP(backend.Address.AsSlice()), Port: backend.Port, Weight: weight,
			AddressFamily: kernel.AddressFamily, ConnectionFlags: methods[s.Delivery],
		})
	}
	return one, nil
}
