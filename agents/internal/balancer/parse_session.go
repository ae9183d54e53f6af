package balancer

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/replica"
)

const (
	probedNamesMost = 8                  // server names with which a service's ticket keys are learned
	ticketNamesMost = 8                  // managed names of a backend: for each epoch one, and in a pod two
	ticketsDefault  = 24 * time.Hour     // how long clients may use a ticket
	ticketsMost     = 7 * 24 * time.Hour // RFC 8446, section 4.6.1
)

// parseSession parses how a service places connections by TLS session, into its other fields, too.
func parseSession(service *agentv1.BalancerService, parsed *Service) (err error) {
	spec := service.GetSession()
	if spec == nil {
		for _, backend := range service.GetBackends() {
			if backend.GetSession() != nil || backend.GetReturns() {
				return fmt.Errorf("backend %q: session or returns is set, but the service has no session; set both or leave it out", backend.GetId())
			}
		}
		return nil
	}
	wanted := &parsed.Wanted
	if wanted.Delivery == "" {
		wanted.Delivery = datapath.Direct // the others need backends that unwrap packets
	}
	if wanted.Key.Protocol != datapath.TCP || wanted.Delivery == datapath.NAT || wanted.ProxyProtocol {
		return fmt.Errorf("session: connections are only placed by TLS session for tcp with delivery %q, %q, %q or %q, without the PROXY protocol; give one of them, or leave session out", datapath.Direct, datapath.Tunnel, datapath.GUE, datapath.Proxy)
	}
	if service.GetByCost() {
		return errors.New("session: connections are placed by TLS session or by cost, not by both; leave by_cost or session out")
	}
	session := &Session{IDs: spec.GetIds(), Tickets: ticketsDefault, Backends: map[string]SessionBackend{}, Returns: map[string]bool{}}
	if session.Fallbacks, err = parseFallbacks(spec.GetFallbacks()); err != nil {
		return fmt.Errorf("session fallbacks: %w", err)
	}
	if session.Keys, err = cookie.Unpack(spec.GetKeys().GetCurrent(), spec.GetKeys().GetPrevious()); err != nil {
		return fmt.Errorf("session keys: %w", err)
	}
	switch spec.GetNames() {
	case "learned":
		session.Learns = true
	case "managed":
		session.Learns, session.Managed, session.TicketNames = true, true, spec.GetTicketRevision()
	case "off":
	default:
		return fmt.Errorf("session names %q is unknown; give \"learned\", \"managed\" or \"off\"", spec.GetNames())
	}
	if got := len(spec.GetServerNames()); got > probedNamesMost {
		return fmt.Errorf("session server_names: %d names are too many; give at most %d", got, probedNamesMost)
	}
	if session.ServerNames, err = parseServerNames(spec.GetServerNames()); err != nil {
		return fmt.Errorf("session server_names: %w", err)
	}
	if seconds := spec.GetTicketSeconds(); seconds != 0 {
		session.Tickets = time.Duration(seconds) * time.Second
	}
	if session.Tickets > ticketsMost {
		return fmt.Errorf("session ticket_seconds %d is too long; give at most %d, which is the limit of TLS 1.3", spec.GetTicketSeconds(), ticketsMost/time.Second)
	}
	for _, backend := range service.GetBackends() {
		if backend.GetReturns() {
			session.Returns[backend.GetId()] = true
		}
		if backend.GetSession() == nil {
			continue
		}
		if session.Backends[backend.GetId()], err = parseSessionBackend(backend.GetSession()); err != nil {
			return fmt.Errorf("backend %q: session %w", backend.GetId(), err)
		}
	}
	session.separateNames(parsed.Wanted.Backends)
	parsed.Session = session
	return nil
}

// separateNames leaves names that several backends have to one of them, as of an instance that gets another
// address: to one that takes new connections, if there is one. The others go without, and report that.
func (s *Session) separateNames(backends []datapath.Backend) {
	owners := map[names.Name]string{}
	for _, fresh := range []bool{true, false} {
		for _, backend := range backends {
			own, can := s.Backends[backend.ID]
			if !can || fresh != (backend.State == datapath.Active || backend.State == datapath.Filling) {
				continue
			}
			if at := slices.IndexFunc(own.Names, func(name names.Name) bool { return owners[name] != "" }); at >= 0 {
				own.SharesWith, own.Names = owners[own.Names[at]], nil
				s.Backends[backend.ID] = own
			}
			for _, name := range own.Names {
				owners[name] = backend.ID
			}
		}
	}
}

// parseFallbacks requires the last one to be plain, which is always possible.
func parseFallbacks(spec []string) ([]string, error) {
	switch strings.Join(spec, " ") {
	case "", fallbackPlain:
		return []string{fallbackPlain}, nil
	case fallbackProxy + " " + fallbackPlain:
		return spec, nil
	}
	return nil, fmt.Errorf("the order %q is not possible; give \"proxy\" and \"plain\", or \"plain\" alone", spec)
}

func parseSessionBackend(backend *agentv1.SessionBackend) (SessionBackend, error) {
	if backend.GetNumber() < 1 || backend.GetNumber() > uint32(replica.NumberMost) {
		return SessionBackend{}, fmt.Errorf("number %d is out of range; give 1 to %d", backend.GetNumber(), replica.NumberMost)
	}
	if backend.GetCompanion() == "" {
		return SessionBackend{}, errors.New("companion is missing; give the address and the port where the agent next to the backend receives messages, as in 10.0.0.2:7446")
	}
	companion, err := netip.ParseAddrPort(backend.GetCompanion())
	if err != nil || companion.Port() == 0 || companion.Addr().IsUnspecified() || companion.Addr().Zone() != "" {
		return SessionBackend{}, fmt.Errorf("companion %q is invalid; give an IP address and a port, as in 10.0.0.2:7446 or [fd00::2]:7446", backend.GetCompanion())
	}
	parsed := SessionBackend{Number: uint8(backend.GetNumber()), Companion: netip.AddrPortFrom(companion.Addr().Unmap(), companion.Port())}
	if got := len(backend.GetTicketNames()); got > ticketNamesMost {
		return parsed, fmt.Errorf("ticket_names: %d names are too many; give at most %d", got, ticketNamesMost)
	}
	for _, name := range backend.GetTicketNames() {
		if len(name) != names.Bytes {
			return parsed, fmt.Errorf("ticket_names: a name has %d bytes; give %d", len(name), names.Bytes)
		}
		parsed.Names = append(parsed.Names, names.Name(name))
	}
	return parsed, nil
}
