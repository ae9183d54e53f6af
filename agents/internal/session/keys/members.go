package keys

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Kind is what a member does with keys.
type Kind string

// The kinds of members.
const (
	OfServer  Kind = "server"  // encrypts and accepts tickets
	OfReplica Kind = "replica" // looks up names
)

// Member has to apply each revision and to acknowledge it.
type Member struct {
	Kind Kind   `json:"kind"`
	ID   string `json:"id"`
}

// progress is what a member has acknowledged.
type progress struct {
	revision uint64 // 0: none
	epoch    uint64 // the oldest one that a server may encrypt with
}

// span is the epochs that a removed server may encrypt with. It gets no keys, but it may have applied
// some that it didn't acknowledge. It is forgotten when the newest one is dropped.
type span struct {
	oldest, newest uint64
}

// SetMembers replaces the members. Others need the names of servers that are added, so this is a
// new revision. A server that returns while an epoch is retired, and may still encrypt with that epoch,
// restarts the lifetime: its last tickets are new.
func (r Rotation) SetMembers(servers, replicas []string, now time.Time) Rotation {
	wanted := r.wanted(servers, replicas)
	if haveSameKeys(wanted, r.members) {
		return r
	}
	current, mustRestart, away := r.Epochs[0].Number, false, map[string]span{}
	maps.Copy(away, r.away)
	for member, has := range r.members {
		if _, stays := wanted[member]; !stays && member.Kind == OfServer {
			away[member.ID] = span{oldest: has.epoch, newest: current}
		}
	}
	for member, has := range wanted {
		if _, wasMember := r.members[member]; !wasMember && member.Kind == OfServer {
			mustRestart = mustRestart || has.epoch != current
			delete(away, member.ID)
		}
	}
	r.members, r.away = wanted, away
	if mustRestart && r.Phase == Retiring {
		return r.enter(Switching, now, r.Epochs...)
	}
	r.Revision++
	return r.Step(now)
}

// wanted returns these members with their progress. Ones that were never members have no older epoch.
func (r Rotation) wanted(servers, replicas []string) map[Member]progress {
	wanted := map[Member]progress{}
	add := func(kind Kind, id string) {
		member := Member{kind, id}
		has, isKnown := r.members[member]
		if !isKnown {
			has.epoch = r.Epochs[0].Number
			if epochs, wasRemoved := r.away[id]; wasRemoved && kind == OfServer {
				has.epoch = epochs.oldest
			}
		}
		wanted[member] = has
	}
	for _, id := range servers {
		add(OfServer, id)
	}
	for _, id := range replicas {
		add(OfReplica, id)
	}
	return wanted
}

func haveSameKeys(a, b map[Member]progress) bool {
	for member := range a {
		if _, has := b[member]; !has {
			return false
		}
	}
	return len(a) == len(b)
}

func compareMembers(a, b Member) int {
	if a.Kind != b.Kind {
		return -cmp.Compare(a.Kind, b.Kind) // servers first
	}
	return cmp.Compare(a.ID, b.ID)
}

func (r Rotation) servers() (ids []string) {
	for member := range r.members {
		if member.Kind == OfServer {
			ids = append(ids, member.ID)
		}
	}
	slices.Sort(ids)
	return ids
}
