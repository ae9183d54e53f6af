package backend

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"fairlead.dev/agents/internal/session/keys"
)

// keeper keeps the managed ticket keys of servers as they should be. It has a goroutine of its own, because disks, and
// sockets of servers, can be slow. What it wrote stays when it ends, and when servers are removed.
type keeper struct {
	log   *slog.Logger
	every time.Duration // between checks of what was written
	stop  context.CancelFunc
	ended chan struct{}
	began time.Time
	given map[keys.Place]bool // those that had keys from this process
	news  chan struct{}       // holds one item when the servers have changed

	mu      sync.Mutex
	servers []Server // with tickets
	wanted  map[key]*Tickets
	states  map[key]ticketState
}

// ticketState is what is known about a server's keys.
type ticketState struct {
	place    keys.Place
	revision uint64 // that was applied; 0: none
	problem  string // why the newest isn't, or a limitation, as a sentence
}

func newKeeper(log *slog.Logger, every time.Duration) *keeper {
	ctx, stop := context.WithCancel(context.Background())
	k := &keeper{
		log: log, every: every, stop: stop, ended: make(chan struct{}), began: time.Now(), given: map[keys.Place]bool{},
		news: make(chan struct{}, 1), states: map[key]ticketState{},
	}
	go k.run(ctx)
	return k
}

// set replaces the servers. Their keys are applied a moment later.
func (k *keeper) set(servers []Server) {
	k.mu.Lock()
	k.servers, k.wanted = nil, map[key]*Tickets{}
	states := map[key]ticketState{}
	for _, s := range servers {
		if s.Tickets != nil {
			k.servers, k.wanted[s.key()] = append(k.servers, s), s.Tickets
			if before, has := k.states[s.key()]; has && before.place == s.Tickets.Place {
				states[s.key()] = before
			}
		}
	}
	k.states = states
	k.mu.Unlock()
	select {
	case k.news <- struct{}{}:
	default:
	}
}

// of returns what is known about a server's keys.
func (k *keeper) of(server key) ticketState {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.states[server]
}

func (k *keeper) close() {
	k.stop()
	<-k.ended
}

func (k *keeper) run(ctx context.Context) {
	defer close(k.ended)
	ticker := time.NewTicker(k.every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.news:
		case <-ticker.C:
		}
		k.mu.Lock()
		servers := k.servers
		k.mu.Unlock()
		k.apply(ctx, servers)
	}
}

// apply gives each server its keys. Those of one instance have the same place and the same keys.
func (k *keeper) apply(ctx context.Context, servers []Server) {
	type result struct {
		applied keys.Applied
		err     error
	}
	done, users := map[keys.Place]result{}, map[string]*Server{}
	places := make([]keys.Place, len(servers))
	for i := range servers {
		places[i] = servers[i].Tickets.Place
	}
	for i := range servers {
		if ctx.Err() != nil {
			return
		}
		s := &servers[i]
		place := s.Tickets.Place
		other := users[place.Folder]
		if other != nil && (other.Tickets.Place.Software != place.Software || !other.Tickets.Keys.Equal(s.Tickets.Keys)) {
			k.record(s, keys.Applied{}, fmt.Errorf("the folder %s has the ticket keys of the instance %s, too: give each instance a folder of its own, with %s in the path", place.Folder, other.Instance, instanceInPaths))
			continue
		}
		users[place.Folder] = s
		one, isDone := done[place]
		if !isDone {
			if k.isFormer(place, s.Tickets.Keys) {
				continue
			}
			k.given[place] = true
			place.Note(s.Tickets.Keys)
			one.applied, one.err = place.Apply(ctx, s.Tickets.Keys, places...)
			done[place] = one
		}
		if ctx.Err() == nil {
			k.record(s, one.applied, one.err)
		}
	}
}

// formerMost is how long an agent that has started doesn't replace newer keys: it gets its config meanwhile.
const formerMost = 10 * time.Second

// isFormer reports whether these keys are probably those of a stored config that is outdated.
func (k *keeper) isFormer(place keys.Place, server keys.Server) bool {
	return !k.given[place] && time.Since(k.began) < formerMost && place.HasNewer(server)
}

// record updates the state of a server, and logs what changed.
func (k *keeper) record(s *Server, applied keys.Applied, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.wanted[s.key()] != s.Tickets {
		return // it has others meanwhile, or was removed
	}
	before := k.states[s.key()]
	now := ticketState{place: s.Tickets.Place, revision: s.Tickets.Revision}
	if err != nil {
		now.revision, now.problem = before.revision, sentence(err)
		if before.revision == s.Tickets.Revision {
			now.revision = 0 // the server may no longer have what was acknowledged
		}
	} else if limitation := applied.Limitation(); limitation != "" {
		now.problem = sentence(fmt.Errorf("%s", limitation))
	}
	about := k.log.With("backend", s.Backend, "instance", s.Instance, "software", s.Tickets.Place.Software, "folder", s.Tickets.Place.Folder)
	switch {
	case err != nil && now.problem != before.problem:
		about.Warn("the server doesn't have its newest ticket keys", "revision", s.Tickets.Revision, "reason", now.problem)
	case err != nil:
	case now != before:
		about.Info("the server has its ticket keys", "revision", now.revision, "changed", applied.Changed, "limitation", now.problem)
	case applied.Changed:
		about.Warn("the server's ticket keys had been changed or removed, and were written again", "revision", now.revision)
	}
	k.states[s.key()] = now
}
