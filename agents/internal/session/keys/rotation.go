package keys

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"fairlead.dev/agents/internal/session/names"
)

// Phase is a step of a rotation.
type Phase string

// The phases, in their order. Each begins when the one before is acknowledged.
const (
	Idle      Phase = "idle"      // one epoch
	Adding    Phase = "adding"    // servers accept the next epoch's tickets, and replicas get its names
	Switching Phase = "switching" // servers encrypt with the next epoch
	Retiring  Phase = "retiring"  // the last tickets of the old epoch expire
)

// Rotation is which keys all members should have, and who has them. It is a value: each method
// returns the next state, which the caller saves before it sends keys to members. A state that was loaded
// again continues where it was, because acknowledgements can be repeated. New returns the first one.
type Rotation struct {
	Phase    Phase
	Epochs   []Epoch // servers encrypt with the first one
	Revision uint64  // of what members should have
	Since    time.Time
	Lifetime time.Duration // of tickets
	DropAt   time.Time     // while retiring

	members map[Member]progress
	away    map[string]span // the servers that were removed
}

// ErrRunning is the error of a rotation that can't start because one is running.
var ErrRunning = errors.New("a rotation is running")

// New returns the state with one epoch and no members.
func New(first Epoch, lifetime time.Duration, now time.Time) Rotation {
	return Rotation{
		Phase: Idle, Epochs: []Epoch{first}, Revision: 1, Since: now, Lifetime: lifetime,
		members: map[Member]progress{}, away: map[string]span{},
	}
}

// Start begins the first phase.
func (r Rotation) Start(next Epoch, now time.Time) (Rotation, error) {
	if r.Phase != Idle {
		return r, fmt.Errorf("start the rotation to epoch %d: %w (phase %s)", next.Number, ErrRunning, r.Phase)
	}
	if next.Number <= r.Epochs[0].Number {
		return r, fmt.Errorf("start the rotation to epoch %d: the current one is %d", next.Number, r.Epochs[0].Number)
	}
	return r.enter(Adding, now, r.Epochs[0], next), nil
}

// Acknowledge records that a member has applied a revision. One that is outdated, or from another
// member, has no effect.
func (r Rotation) Acknowledge(member Member, revision uint64, now time.Time) Rotation {
	if _, isKnown := r.members[member]; !isKnown || revision != r.Revision {
		return r
	}
	r.members = maps.Clone(r.members)
	r.members[member] = progress{revision: revision, epoch: r.Epochs[0].Number}
	return r.Step(now)
}

// Step enters the next phase if all have acknowledged this one, and its time has passed.
func (r Rotation) Step(now time.Time) Rotation {
	switch {
	case r.Phase == Adding && len(r.Lagging()) == 0:
		return r.enter(Switching, now, r.Epochs[1], r.Epochs[0])
	case r.Phase == Switching && len(r.Lagging()) == 0:
		// No new revision: members have these keys.
		r.Phase, r.Since, r.DropAt = Retiring, now, now.Add(r.Lifetime)
	case r.Phase == Retiring && !now.Before(r.DropAt):
		dropped := r.Epochs[1].Number
		r = r.enter(Idle, now, r.Epochs[0])
		r.DropAt, r.away = time.Time{}, maps.Clone(r.away)
		maps.DeleteFunc(r.away, func(_ string, epochs span) bool { return epochs.newest <= dropped })
	}
	return r
}

func (r Rotation) enter(phase Phase, now time.Time, epochs ...Epoch) Rotation {
	r.Phase, r.Epochs, r.Since = phase, epochs, now
	r.Revision++
	return r
}

// Lagging returns the members that this phase waits for, or that still have another revision if it
// waits for none. Servers can switch while a replica is away: it has the names.
func (r Rotation) Lagging() []Member {
	var lagging []Member
	for _, member := range slices.SortedFunc(maps.Keys(r.members), compareMembers) {
		if r.members[member].revision != r.Revision && (r.Phase != Switching || member.Kind == OfServer) {
			lagging = append(lagging, member)
		}
	}
	return lagging
}

// Server returns the keys that a server should have.
func (r Rotation) Server(id string) Server { return For(id, r.servers(), r.Epochs...) }

// Names returns the server of each name, for replicas.
func (r Rotation) Names() map[names.Name]string {
	table := map[names.Name]string{}
	for _, epoch := range r.Epochs {
		for _, id := range r.servers() {
			table[epoch.Name(id)] = id
		}
	}
	return table
}
