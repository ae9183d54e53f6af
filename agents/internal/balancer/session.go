package balancer

import (
	"maps"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/names"
)

// Session is how a service places connections by their TLS session.
type Session struct {
	Keys        cookie.Set
	Learns      bool          // learns the names of backends' ticket keys
	Managed     bool          // backends' ticket keys come from the control plane; they are observed, too
	TicketNames uint64        // the revision of managed names
	IDs         bool          // also places clients by session ids of TLS 1.2
	ServerNames []string      // with which names are learned; none: without a server name
	Tickets     time.Duration // how long clients may use a ticket

	Fallbacks []string        // what carries connections while no backend takes them by session, in order
	Returns   map[string]bool // the IDs of backends whose clients return while they drain

	// Backends are those that can take connections by session, by their ID.
	Backends map[string]SessionBackend
}

// SessionBackend is a backend with a companion.
type SessionBackend struct {
	Number    uint8 // of the backend in timestamps; several may have the same one
	Companion netip.AddrPort
	Names     []names.Name // of its managed ticket keys, that of its own key first; none: they are learned

	SharesWith string // the ID of a backend with the same managed names, which lead only there
}

func (b SessionBackend) equal(other SessionBackend) bool {
	return b.Number == other.Number && b.Companion == other.Companion && b.SharesWith == other.SharesWith && slices.Equal(b.Names, other.Names)
}

func (s *Session) equal(other *Session) bool {
	if s == nil || other == nil {
		return s == other
	}
	return s.Keys == other.Keys && s.Learns == other.Learns && s.IDs == other.IDs && s.Tickets == other.Tickets &&
		s.Managed == other.Managed && s.TicketNames == other.TicketNames &&
		slices.Equal(s.ServerNames, other.ServerNames) && maps.EqualFunc(s.Backends, other.Backends, SessionBackend.equal) &&
		slices.Equal(s.Fallbacks, other.Fallbacks) && maps.Equal(s.Returns, other.Returns)
}

// takes reports whether a backend takes new connections by session.
func (s *Session) takes(backend datapath.Backend) bool {
	_, can := s.Backends[backend.ID]
	return can && backend.Up && (backend.State == datapath.Active || backend.State == datapath.Filling)
}

// keepsClients reports whether clients of a backend's sessions return to it now.
func (s *Session) keepsClients(backend datapath.Backend) bool {
	switch backend.State {
	case datapath.Active, datapath.Filling:
		return backend.Up
	case datapath.Draining:
		return backend.Up && s.Returns[backend.ID]
	}
	return false
}

// bySession returns a service that places connections by session. Backends that can't take them keep
// the connections that they have.
func (s *Session) bySession(service datapath.Service) datapath.Service {
	service.Chooser = datapath.BySession
	service.Backends = slices.Clone(service.Backends)
	for i := range service.Backends {
		b := &service.Backends[i]
		if _, can := s.Backends[b.ID]; !can && b.State != datapath.Inactive {
			b.State = datapath.Draining
		}
	}
	return service
}
