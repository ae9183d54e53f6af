package proxied

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/hello"
	"fairlead.dev/agents/internal/session/ids"
	"fairlead.dev/agents/internal/session/message"
	"fairlead.dev/agents/internal/session/names"
)

// Room has the session ids of the tables of a replica, each with its backend.
type Room = ids.Room[string]

// Service is how clients of one service return.
type Service struct {
	Names   map[names.Name]string   // of ticket keys: the ID of the backend
	Former  map[names.Name]struct{} // of backends that aren't among these any more, to count their clients
	Resumes map[string]bool         // the IDs of backends that get the clients of their sessions
	IDs     bool                    // also by session ids of TLS 1.2

	Lifetime time.Duration // of session ids; 0: message.Lifetime
}

func (s *Service) lifetime() time.Duration { return cmp.Or(s.Lifetime, message.Lifetime) }

// Table is the sessions of one service. Any goroutine may call its methods.
type Table struct {
	service atomic.Pointer[Service]
	began   atomic.Pointer[func([idBytes]byte)]

	ids *ids.Queue[string]

	mu     sync.Mutex
	counts Counts
}

type id = ids.ID

// NewTable returns a table of a service without backends. A nil room is its own.
func NewTable(room *Room) *Table {
	t := &Table{ids: cmp.Or(room, ids.NewRoom[string]()).NewQueue(0)}
	t.Set(Service{})
	return t
}

// Close forgets the session ids.
func (t *Table) Close() { t.ids.Close() }

// Set replaces what is known except for session ids. The caller doesn't change it any more.
func (t *Table) Set(service Service) { t.service.Store(&service) }

// WhenSessionsBegin has sessions that return by their id reported, from any goroutine; nil: not any more.
func (t *Table) WhenSessionsBegin(report func(id [idBytes]byte)) {
	if report == nil {
		t.began.Store(nil)
		return
	}
	t.began.Store(&report)
}

// Backend returns the backend of a ticket key's name; "" if the name isn't known.
func (t *Table) Backend(name names.Name) string { return t.service.Load().Names[name] }

// Choose returns the backend of the session that a hello names, and counts the hello; "" means that
// it is a new session, or that its backend doesn't get its clients.
func (t *Table) Choose(h *hello.Hello) (backend string) {
	service := t.service.Load()
	t.mu.Lock()
	defer t.mu.Unlock()
	key, ticket, byID := t.byKey(service, h), service.owner(h.Ticket), t.byID(service, h)
	switch {
	case service.Resumes[key.backend]:
		t.counts.ByKey.Home++
		return key.backend
	case service.Resumes[ticket.backend]:
		t.counts.ByTicket.Home++
		return ticket.backend
	case service.Resumes[byID.backend]:
		t.counts.ByID.Home++
		return byID.backend
	case key.named:
		t.counts.ByKey.lose(key.known)
	case ticket.named:
		t.counts.ByTicket.lose(ticket.known)
	case byID.named && (byID.known || !h.ListsVersions): // each hello for TLS 1.3 has an id
		t.counts.ByID.lose(byID.known)
	default:
		t.counts.WithoutSession++
	}
	return ""
}

// CountUnreadable counts a connection that begins with something else.
func (t *Table) CountUnreadable() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts.Unreadable++
}

// owner is whose session something names.
type owner struct {
	named   bool
	known   bool
	backend string // "" if it is gone
}

func (s *Service) owner(ticket []byte) owner {
	name, ok := names.Of(ticket)
	if !ok {
		return owner{}
	}
	backend, known := s.Names[name]
	_, former := s.Former[name]
	return owner{named: true, known: known || former, backend: backend}
}

// byKey prefers a session whose backend gets its clients.
func (t *Table) byKey(service *Service, h *hello.Hello) (first owner) {
	for identity := range h.Identities() {
		one := service.owner(identity)
		if service.Resumes[one.backend] {
			return one
		}
		if !first.named {
			first = one
		}
	}
	return first
}

func (t *Table) byID(service *Service, h *hello.Hello) owner {
	if !service.IDs || len(h.SessionID) != idBytes {
		return owner{}
	}
	backend, known := t.ids.Value(id(h.SessionID), service.lifetime(), time.Now())
	return owner{named: true, known: known, backend: backend}
}

// Learn reads the first bytes that a backend sent: they may begin a session of TLS 1.2.
func (t *Table) Learn(backend string, reply []byte) {
	service := t.service.Load()
	given, ok := idOf(reply)
	if !ok || !service.IDs {
		return
	}
	if report := t.began.Load(); report != nil {
		(*report)(given)
	}
	t.ids.Add(given, backend, service.lifetime(), time.Now())
}

// Counts returns what became of the clients since the table was created.
func (t *Table) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts
}
