package replica

import (
	"fmt"
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/cookie"
)

// NameBytes is the size of the name of a ticket key.
const NameBytes = int(program.SessionSessionLimitsNAME_BYTES)

// NumberMost is the highest number of a backend.
const NumberMost = uint8(program.SessionSessionLimitsLAST_NUMBER)

// What the program has room for.
const (
	ServicesMost = int(program.SessionSessionLimitsSESSION_SERVICES)
	BackendsMost = int(program.SessionSessionLimitsSESSION_HINTS)
	NamesMost    = int(program.SessionSessionLimitsSESSION_NAMES)
)

// Service is one that the engine carries with the chooser BySession.
type Service struct {
	Key      datapath.Key
	Keys     cookie.Set
	MSS      uint16 // that clients may send: it has to fit into a tunnel
	Backends []Backend

	// WithoutIDs places no client by the id of a TLS 1.2 session.
	WithoutIDs bool

	// Lifetime is how long clients may use a session id; 0: message.Lifetime.
	Lifetime time.Duration

	// Former are names of backends that no longer take connections by session. Clients that have
	// one begin elsewhere, and are counted.
	Former [][NameBytes]byte
}

// Backend is one of a service.
type Backend struct {
	ID string

	// Number is 1 to NumberMost. Clients echo it, so it must not change. Several backends may
	// have the same one: then all are queried.
	Number uint8

	Names     [][NameBytes]byte // of its ticket keys
	Resumes   bool              // gets the clients of its sessions
	Companion netip.AddrPort
}

func (s *Service) check() error {
	if err := s.Keys.Check(); err != nil {
		return fmt.Errorf("service %s: %w", s.Key, err)
	}
	if s.MSS < cookie.Sizes[0] {
		return fmt.Errorf("service %s: clients can't send segments of %d bytes; give %d or more", s.Key, s.MSS, cookie.Sizes[0])
	}
	for _, b := range s.Backends {
		if b.Number == 0 || b.Number > NumberMost {
			return fmt.Errorf("service %s: backend %q has the number %d; give 1 to %d", s.Key, b.ID, b.Number, NumberMost)
		}
	}
	return nil
}

// EntryOf returns a service's keys as the programs have them. number is that of a companion's
// backend.
func EntryOf(keys cookie.Set, mss uint16, number uint8) program.SessionSessionService {
	entry := program.SessionSessionService{Mss: mss, Number: number}
	for i, one := range keys.Accepted() {
		entry.Keys[i] = program.SessionSessionKeys{Cookie: program.SessionSessionKey{Word: one.Cookie}, Mask: program.SessionSessionKey{Word: one.Mask}}
	}
	return entry
}
