package companion

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/ids"
	"fairlead.dev/agents/internal/session/message"
	"fairlead.dev/agents/internal/session/replica"
)

// Service is one that the server serves for balancers.
type Service struct {
	Address  netip.AddrPort // that clients connect to
	Backend  string         // the server's ID in this service
	Number   uint8          // as replicas have it
	Keys     cookie.Set
	Replicas []netip.AddrPort
	Lifetime time.Duration // of session ids; 0: message.Lifetime
}

func (s *Service) lifetime() time.Duration { return cmp.Or(s.Lifetime, message.Lifetime) }

// Options are where a companion runs.
type Options struct {
	Interface string
	Listen    netip.AddrPort // where replicas reach it
	Services  []Service      // the first ones

	// Folder, on a BPF file system, is where the programs are pinned. They accept connections also
	// while no process runs, and the next one with this folder continues. Empty: they end with
	// the process.
	Folder string

	Room *Room // for session ids, shared with other companions; nil: its own
}

// Companion accepts connections for a server.
type Companion struct {
	folder     string // empty: nothing is pinned
	layout     string // of the pinned maps, as the name of their folder
	device     int    // index of the interface
	collection *ebpf.Collection
	unwrap     *ebpf.Collection // of tunnelled packets
	links      []link.Link
	socket     *net.UDPConn
	other      *net.UDPConn // sends to replicas of the other family; nil if the namespace lacks it
	diagnosis  *diagnosis
	routes     *netlink.Handle
	services   atomic.Pointer[[]Service]
	began      *began
	sentIDs    sentIDs // of the goroutine that answers
	events     *program.Events
	ended      sync.WaitGroup
}

// Open starts a companion without services in the current namespace. Nothing is pinned.
func Open(interfaceName string, listen netip.AddrPort) (*Companion, error) {
	return Start(Options{Interface: interfaceName, Listen: listen})
}

// Start starts a companion in the current namespace. Programs that a former process pinned work
// until the new ones, which have the services already, replace them.
func Start(options Options) (_ *Companion, err error) {
	c := &Companion{folder: options.Folder, began: newBegan(cmp.Or(options.Room, ids.NewRoom[struct{}]()))}
	c.services.Store(&[]Service{})
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	device, err := net.InterfaceByName(options.Interface)
	if err != nil {
		return nil, fmt.Errorf("find interface %q (name one that exists): %w", options.Interface, err)
	}
	c.device = device.Index
	if c.socket, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(options.Listen)); err != nil {
		return nil, fmt.Errorf("listen to replicas (UDP port %d must be free in the server's network namespace): %w", options.Listen.Port(), err)
	}
	message.RoomToSend(c.socket)
	c.other = openOther(options.Listen.Addr())
	if c.diagnosis, err = openDiagnosis(); err != nil {
		return nil, err
	}
	if c.routes, err = openRoutes(); err != nil {
		return nil, err
	}
	if err := c.load(); err != nil {
		return nil, err
	}
	if c.events, err = program.OpenEvents(c.collection.Maps[program.CompanionMapCompanionEvents]); err != nil {
		return nil, err
	}
	if err := c.Set(options.Services); err != nil {
		return nil, err
	}
	if err := c.attach(); err != nil {
		return nil, fmt.Errorf("attach to %s: %w", options.Interface, err)
	}
	c.ended.Go(c.follow)
	c.ended.Go(c.receive)
	return c, nil
}

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
	err := errors.Join(
		c.countEach(wanted),
		program.ReplaceAll(c.collection.Maps[program.CompanionMapSessionServices], wanted),
		c.trust(services))
	if err != nil {
		return fmt.Errorf("set the services of the companion: %w", err)
	}
	c.services.Store(&services)
	c.began.keep(services)
	return nil
}

// Close ends the companion. Without pinned programs, balancers can't begin connections with the server
// any more. Existing ones stay.
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
	if c.other != nil {
		errs = append(errs, c.other.Close())
	}
	c.ended.Wait()
	c.began.keep(nil)
	if c.diagnosis != nil {
		errs = append(errs, c.diagnosis.close())
	}
	if c.routes != nil {
		c.routes.Close()
	}
	for _, each := range []*ebpf.Collection{c.collection, c.unwrap} {
		if each != nil {
			each.Close()
		}
	}
	return errors.Join(errs...)
}
