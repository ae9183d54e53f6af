package companion

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"
	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/replica"
)

// Service is one that the server serves for balancers.
type Service struct {
	Address  netip.AddrPort // that clients connect to
	Backend  string         // the server's ID in this service
	Number   uint8          // as replicas have it
	Keys     cookie.Set
	Replicas []netip.AddrPort
}

// Companion accepts connections for a server.
type Companion struct {
	collection *ebpf.Collection
	links      []link.Link
	socket     *net.UDPConn
	diagnosis  *diagnosis
	routes     *netlink.Handle
	services   atomic.Pointer[[]Service]
	ids        ids
	events     *program.Events
	ended      sync.WaitGroup
}

// Open attaches the program to an interface of the current namespace. Replicas reach the
// companion at this address. It does nothing before the first Set.
func Open(interfaceName string, listen netip.AddrPort) (_ *Companion, err error) {
	c := &Companion{ids: newIDs()}
	c.services.Store(&[]Service{})
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	device, err := net.InterfaceByName(interfaceName)
	if err != nil {
		return nil, fmt.Errorf("find interface %q (name one that exists): %w", interfaceName, err)
	}
	if c.socket, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(listen)); err != nil {
		return nil, fmt.Errorf("listen to replicas: %w", err)
	}
	if c.diagnosis, err = openDiagnosis(); err != nil {
		return nil, err
	}
	if c.routes, err = openRoutes(); err != nil {
		return nil, err
	}
	if c.collection, err = load(); err != nil {
		return nil, err
	}
	if c.events, err = program.OpenEvents(c.collection.Maps[program.CompanionMapCompanionEvents]); err != nil {
		return nil, err
	}
	for _, one := range []struct {
		name string
		at   ebpf.AttachType
	}{{program.CompanionProgLearnSession, ebpf.AttachTCXEgress}, {program.CompanionProgAcceptSession, ebpf.AttachTCXIngress}} {
		// Last, because tunnelled packets are unwrapped before.
		attached, err := link.AttachTCX(link.TCXOptions{Interface: device.Index, Program: c.collection.Programs[one.name], Attach: one.at, Anchor: link.Tail()})
		if err != nil {
			return nil, fmt.Errorf("attach to %s: %w", interfaceName, err)
		}
		c.links = append(c.links, attached)
	}
	c.ended.Go(c.follow)
	c.ended.Go(c.receive)
	return c, nil
}

func load() (*ebpf.Collection, error) {
	if err := rlimit.RemoveMemlock(); err != nil {
		return nil, fmt.Errorf("lift the limit of locked memory: %w", err)
	}
	spec, err := program.LoadCompanion()
	if err != nil {
		return nil, err
	}
	used := map[string]bool{
		program.CompanionMapCompanionEvents: true, program.CompanionMapCompanionCounts: true,
		program.CompanionMapSessionServices: true, program.CompanionMapSessionAllowance: true,
	}
	for name := range spec.Maps {
		if !used[name] && !strings.HasPrefix(name, constants) { // those of balancers
			delete(spec.Maps, name)
		}
	}
	spec.Variables = nil
	collection, err := ebpf.NewCollection(spec)
	if err != nil {
		return nil, fmt.Errorf("load the program of companions: %w", err)
	}
	return collection, nil
}

const constants = ".rodata"

// Set makes the companion accept connections of exactly these services.
func (c *Companion) Set(services []Service) error {
	wanted := map[program.ServiceKey]program.SessionSessionService{}
	for i := range services {
		s := &services[i]
		if err := s.Keys.Check(); err != nil {
			return fmt.Errorf("service %s: %w", s.Address, err)
		}
		if s.Number == 0 || s.Number > replica.NumberMost {
			return fmt.Errorf("service %s: backend %q has the number %d; give 1 to %d", s.Address, s.Backend, s.Number, replica.NumberMost)
		}
		wanted[program.ToServiceKey(keyOf(s.Address))] = replica.EntryOf(s.Keys, 0, s.Number)
	}
	if err := program.ReplaceAll(c.collection.Maps[program.CompanionMapSessionServices], wanted); err != nil {
		return fmt.Errorf("set the services of the companion: %w", err)
	}
	c.services.Store(&services)
	c.ids.keep(services)
	return nil
}

// Counts are what the program did since it was loaded.
type Counts struct {
	Accepted uint64
	Refused  uint64 // by the kernel: Preflight finds reasons
	NotMine  uint64
	Replaced uint64 // sockets of earlier connections on the same ports
	Learnt   uint64
}

// Observe reads the counts.
func (c *Companion) Observe() (Counts, error) {
	var all [program.SessionCompanionCountCOMPANION_COUNTS]uint64
	for i := range all {
		var each []uint64
		if err := c.collection.Maps[program.CompanionMapCompanionCounts].Lookup(uint32(i), &each); err != nil {
			return Counts{}, fmt.Errorf("read the counts of the companion: %w", err)
		}
		for _, one := range each {
			all[i] += one
		}
	}
	return Counts{all[0], all[1], all[2], all[3], all[4]}, nil
}

// Close detaches the program: balancers can't begin connections with the server any more.
// Existing ones stay.
func (c *Companion) Close() error {
	var errs []error
	for _, each := range c.links {
		errs = append(errs, each.Close())
	}
	if c.events != nil {
		errs = append(errs, c.events.Close())
	}
	if c.socket != nil {
		errs = append(errs, c.socket.Close())
	}
	c.ended.Wait()
	if c.diagnosis != nil {
		errs = append(errs, c.diagnosis.close())
	}
	if c.routes != nil {
		c.routes.Close()
	}
	if c.collection != nil {
		c.collection.Close()
	}
	return errors.Join(errs...)
}
