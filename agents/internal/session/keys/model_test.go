package keys

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/names"
)

// ticket is one that a server gave to a client.
type ticket struct {
	name   names.Name
	epoch  uint64
	server string
	at     time.Time
}

// world is a rotation with its members, any of which can be slow, or removed for some time while it runs, and
// a controller that can crash between any two steps.
type world struct {
	t        *testing.T
	file     []byte
	memory   Rotation // lost by a crash
	saved    Rotation // what members get
	now      time.Time
	servers  map[string]Server                // what they have applied
	replicas map[string]map[names.Name]string // what they have applied
	applied  map[Member]uint64
	tickets  []ticket
	removed  map[Member]bool
	added    map[Member]uint64 // the revision that added them
	outdated map[string]uint64 // epochs before it were dropped while the server was removed
	restarts int               // of the lifetime
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		t: t, memory: New(NewEpoch(1), lifetime, begin), now: begin,
		servers: map[string]Server{}, replicas: map[string]map[names.Name]string{}, applied: map[Member]uint64{},
		removed: map[Member]bool{}, added: map[Member]uint64{}, outdated: map[string]uint64{},
	}
	w.setMembers()
	w.save()
	for _, member := range w.members() {
		w.apply(member)
	}
	return w
}

// members returns all, with those that are removed.
func (w *world) members() []Member {
	return []Member{{OfServer, "a"}, {OfServer, "b"}, {OfServer, "c"}, {OfReplica, "r"}, {OfReplica, "s"}}
}

// setMembers has no effect if there is no change.
func (w *world) setMembers() {
	ids := map[Kind][]string{}
	for _, member := range w.members() {
		if !w.removed[member] {
			ids[member.Kind] = append(ids[member.Kind], member.ID)
		}
	}
	before := w.memory.members
	w.enter(w.memory.SetMembers(ids[OfServer], ids[OfReplica], w.now))
	for member := range w.memory.members {
		if _, stays := before[member]; !stays {
			w.added[member] = w.memory.Revision
		}
	}
}

// enter replaces the state in memory.
func (w *world) enter(next Rotation) {
	if w.memory.Phase == Retiring && next.Phase == Switching {
		w.restarts++
	}
	for _, member := range w.members() {
		if w.memory.Phase == Retiring && next.Phase == Idle && w.removed[member] {
			w.outdated[member.ID] = next.Epochs[0].Number
		}
	}
	w.memory = next
}

func (w *world) save() {
	var err error
	if w.file, err = encode(w.memory); err != nil {
		w.t.Fatal(err)
	}
	w.saved = w.memory
}

// crash loses what wasn't saved. Then the controller sets the members that there are now.
func (w *world) crash() {
	var err error
	if w.memory, err = decode(w.file); err != nil {
		w.t.Fatal(err)
	}
	for member, revision := range w.added {
		if _, wasSaved := w.memory.members[member]; wasSaved {
			w.added[member] = min(revision, w.memory.Revision)
		}
	}
	w.setMembers()
}

func (w *world) apply(member Member) {
	if _, isMember := w.saved.members[member]; !isMember {
		return
	}
	if member.Kind == OfServer {
		w.servers[member.ID] = w.saved.Server(member.ID)
	} else {
		w.replicas[member.ID] = w.saved.Names()
	}
	w.applied[member] = w.saved.Revision
}

// sees reports whether a member has applied keys since it and the other one were added.
func (w *world) sees(member, other Member) bool {
	return !w.removed[member] && w.applied[member] >= max(w.added[member], w.added[other])
}

// check verifies what clients rely on: each new ticket leads to its server at all replicas, and each server
// accepts it; and no server rejects one of its own before its lifetime has passed. Removed servers continue with
// the keys that they have.
func (w *world) check(step string) {
	w.t.Helper()
	accepts := func(server Server, name names.Name) bool {
		return slices.ContainsFunc(server.all(), func(key Key) bool { return key.Name == name })
	}
	for id, server := range w.servers {
		w.tickets = append(w.tickets, ticket{server.Own.Name, server.Own.Epoch, id, w.now})
		own := Member{OfServer, id}
		if !w.sees(own, own) {
			continue
		}
		for other, keys := range w.servers {
			if w.sees(Member{OfServer, other}, own) && !accepts(keys, server.Own.Name) {
				w.t.Fatalf("%s: server %s rejects new tickets of %s; phase %s", step, other, id, w.memory.Phase)
			}
		}
		for replica, table := range w.replicas {
			if w.sees(Member{OfReplica, replica}, own) && table[server.Own.Name] != id {
				w.t.Fatalf("%s: replica %s doesn't recognize new tickets of %s; phase %s", step, replica, id, w.memory.Phase)
			}
		}
	}
	w.tickets = slices.DeleteFunc(w.tickets, func(ticket ticket) bool {
		return w.now.Sub(ticket.at) >= lifetime || ticket.epoch < w.outdated[ticket.server]
	})
	for _, ticket := range w.tickets {
		if !accepts(w.servers[ticket.server], ticket.name) {
			w.t.Fatalf("%s: server %s rejects a ticket of its own after %v", step, ticket.server, w.now.Sub(ticket.at))
		}
	}
}

// step does one thing that can happen at any time.
func (w *world) step(random *rand.Rand) string {
	member := w.members()[random.IntN(len(w.members()))]
	switch random.IntN(9) {
	case 0, 1:
		w.apply(member)
		return fmt.Sprintf("%v applies", member)
	case 2, 3:
		w.enter(w.memory.Acknowledge(member, w.applied[member], w.now))
		return fmt.Sprintf("%v acknowledges", member)
	case 4, 5:
		w.save()
		return "save"
	case 6:
		w.crash()
		return "crash"
	case 7:
		if random.IntN(3) == 0 {
			w.removed[member] = !w.removed[member]
			w.setMembers()
		}
		return fmt.Sprintf("%v is removed: %v", member, w.removed[member])
	default:
		w.now = w.now.Add(time.Duration(random.Int64N(int64(lifetime / 4))))
		w.enter(w.memory.Step(w.now))
		return "time passes"
	}
}

func TestNoTicketIsLostWhereverARotationIsInterrupted(t *testing.T) {
	t.Parallel()
	phases, restarts := map[Phase]int{}, 0
	for seed := range uint64(16) {
		w, random := newWorld(t), rand.New(rand.NewPCG(seed, 1))
		rotations := 0
		for range 2000 {
			if w.memory.Phase == Idle && len(w.memory.Lagging()) == 0 {
				next, err := w.memory.Start(NewEpoch(w.memory.Epochs[0].Number+1), w.now)
				if err != nil {
					t.Fatal(err)
				}
				w.memory = next
				rotations++
			}
			what := w.step(random)
			phases[w.saved.Phase]++
			w.check(fmt.Sprintf("seed %d, %s", seed, what))
		}
		restarts += w.restarts
		if rotations < 2 {
			t.Errorf("seed %d: only %d rotations started", seed, rotations)
		}
	}
	if restarts < 10 {
		t.Errorf("only %d servers returned with the old epoch while it was retired", restarts)
	}
	for _, phase := range []Phase{Idle, Adding, Switching, Retiring} {
		if phases[phase] < 100 {
			t.Errorf("phase %s was tested only %d times", phase, phases[phase])
		}
	}
}

// A crash after each single step, before or after the state was saved.
func TestARotationContinuesAfterACrashAtEachStep(t *testing.T) {
	t.Parallel()
	for _, isSaved := range []bool{false, true} {
		w := newWorld(t)
		for _, member := range w.members() {
			w.memory = w.memory.Acknowledge(member, w.applied[member], w.now)
		}
		next, err := w.memory.Start(NewEpoch(2), w.now)
		if err != nil {
			t.Fatal(err)
		}
		w.memory = next
		w.save()
		interrupt := func(step string) {
			t.Helper()
			if isSaved {
				w.save()
			}
			w.crash()
			w.check(step)
		}
		seen := map[Phase]bool{}
		for range 10 {
			seen[w.memory.Phase] = true
			for _, member := range w.members() {
				w.apply(member)
				interrupt("applied")
				w.memory = w.memory.Acknowledge(member, w.applied[member], w.now)
				interrupt("acknowledged")
				if !isSaved { // what was lost is repeated
					w.memory = w.memory.Acknowledge(member, w.applied[member], w.now)
					w.save()
				}
			}
			w.now = w.now.Add(lifetime / 2)
			w.memory = w.memory.Step(w.now)
			interrupt("time passes")
			w.memory = w.memory.Step(w.now)
			w.save()
		}
		if len(seen) != 4 || w.memory.Phase != Idle || w.memory.Epochs[0].Number != 2 || len(w.memory.Lagging()) != 0 {
			t.Errorf("saved %v: phase %s, lagging %v, phases %v", isSaved, w.memory.Phase, w.memory.Lagging(), seen)
		}
	}
}
