package backend

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/session/companion"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/replica"
)

// companionPort is the same for all companions, so that it needs no configuration.
const companionPort = 7446

// The limit of other platforms is that of replicas.
var _ = [1]struct{}{}[numberMost-replica.NumberMost]

// at is where a companion runs: an interface of a namespace.
type at struct {
	space uint64
	iface int
}

// pin is the name of a companion's folder on the BPF file system, which allows no dots.
func (a at) pin() string { return fmt.Sprintf("%016x-%d", a.space, a.iface) }

// wanted is what should run at a place.
type wanted struct {
	space   *space
	listen  netip.AddrPort
	servers []*Server
}

func (w *wanted) services() (services []companion.Service) {
	for _, s := range w.servers {
		services = append(services, companion.Service{
			Address: s.Service, Backend: s.Backend, Number: s.Number, Keys: s.Keys, Replicas: s.Replicas, Lifetime: s.Lifetime,
		})
	}
	return services
}

// place is a companion with its namespace. Without a companion, failure is the reason.
type place struct {
	at          at
	space       *netspace.Space
	iface       string
	listen      netip.AddrPort
	companion   *companion.Companion
	wanted      []companion.Service // as in the config
	services    []companion.Service // as last set
	turnovers   map[netip.AddrPort]*cookie.Turnover
	failure     error
	unaddressed map[netip.Addr]error  // service addresses that could not be added
	limitations map[netip.Addr]string // of service addresses, as sentences
}

// openPlace enters the namespace. The place has its own handle, because the search closes its handles.
func openPlace(where at, w *wanted) (*place, error) {
	link, err := w.space.Links().LinkByIndex(where.iface)
	if err != nil {
		return nil, fmt.Errorf("find the interface of %s: %w", w.listen.Addr(), err)
	}
	opened, err := netspace.OpenFile(w.space.Name)
	if err != nil {
		return nil, err
	}
	return &place{at: where, space: opened, iface: link.Attrs().Name, listen: w.listen}, nil
}

// set makes the companion accept connections of these servers. An open companion that was detached, or
// listens elsewhere, starts again.
func (p *place) set(w *wanted, pins string, ids *companion.Room, now time.Time) (changed bool) {
	before := p.wanted
	p.wanted = w.services()
	services := p.withKeysInUse(now)
	if p.companion != nil && (p.listen != w.listen || !p.companion.IsAttached()) {
		p.failure = p.companion.Close()
		p.companion = nil
	}
	p.listen = w.listen
	if p.companion == nil {
		p.failure = p.space.Do(func() (err error) {
			p.companion, err = companion.Start(companion.Options{
				Interface: p.iface, Listen: p.listen, Services: services, Folder: filepath.Join(pins, p.at.pin()), Room: ids,
			})
			return err
		})
		p.services = services
		return p.failure == nil
	}
	if p.failure == nil && reflect.DeepEqual(p.services, services) {
		return false
	}
	onlyTurned := p.failure == nil && reflect.DeepEqual(p.wanted, before)
	p.failure = p.companion.Set(services)
	p.services = services
	return p.failure == nil && !onlyTurned
}

// withKeysInUse returns the wanted services with the keys that all hosts have.
func (p *place) withKeysInUse(now time.Time) []companion.Service {
	services, turnovers := slices.Clone(p.wanted), map[netip.AddrPort]*cookie.Turnover{}
	for i := range services {
		s := &services[i]
		turnovers[s.Address] = cmp.Or(p.turnovers[s.Address], &cookie.Turnover{})
		s.Keys = turnovers[s.Address].Use(s.Keys, now)
	}
	p.turnovers = turnovers
	return services
}

// problemOf returns why a server can't take connections, as a sentence, and otherwise what limits it.
func (p *place) problemOf(s *Server) (problem, limitation string) {
	if p.failure != nil {
		return sentence(p.failure), ""
	}
	if err := p.unaddressed[s.Service.Addr()]; err != nil {
		return sentence(err), ""
	}
	if err := p.space.Do(companion.PreflightSpace); err != nil {
		return sentence(err), ""
	}
	return p.companion.ProblemOf(s.Service), p.limitations[s.Service.Addr()]
}

// close ends the companion, whose programs stay, and the handle of the namespace.
func (p *place) close() error {
	var err error
	if p.companion != nil {
		err = p.companion.Close()
		p.companion = nil
	}
	return errors.Join(err, p.space.Close())
}

// remove ends the companion with its programs.
func (p *place) remove(pins string) error {
	return errors.Join(p.close(), companion.RemovePinned(filepath.Join(pins, p.at.pin())))
}
