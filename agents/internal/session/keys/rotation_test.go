package keys

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

const lifetime = 24 * time.Hour

var (
	begin            = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	serverA, serverB = Member{OfServer, "a"}, Member{OfServer, "b"}
	replica          = Member{OfReplica, "r"}
)

// acknowledgeAll acknowledges by the members that the rotation waits for.
func acknowledgeAll(r Rotation, now time.Time) Rotation {
	for _, member := range r.Lagging() {
		r = r.Acknowledge(member, r.Revision, now)
	}
	return r
}

func idle() Rotation {
	return acknowledgeAll(New(epoch1, lifetime, begin).SetMembers([]string{"a", "b"}, []string{"r"}, begin), begin)
}

func started(t *testing.T) Rotation {
	t.Helper()
	r, err := idle().Start(epoch2, begin)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func numbers(r Rotation) (numbers []uint64) {
	for _, epoch := range r.Epochs {
		numbers = append(numbers, epoch.Number)
	}
	return numbers
}

func TestARotationHasThreeAcknowledgedPhases(t *testing.T) {
	r := started(t)
	want := func(phase Phase, epochs ...uint64) {
		t.Helper()
		if r.Phase != phase || !reflect.DeepEqual(numbers(r), epochs) {
			t.Fatalf("phase %s with epochs %v, want %s with %v", r.Phase, numbers(r), phase, epochs)
		}
	}
	want(Adding, 1, 2)
	if own := r.Server("a"); own.Own.Name != epoch1.Name("a") || own.Accept[0].Name != epoch2.Name("a") || len(own.Accept) != 3 {
		t.Fatalf("keys %v", own)
	}
	if len(r.Names()) != 4 {
		t.Fatalf("names %v", r.Names())
	}
	r = acknowledgeAll(r, begin)
	want(Switching, 2, 1)
	if own := r.Server("a"); own.Own.Name != epoch2.Name("a") || own.Accept[0].Name != epoch1.Name("a") {
		t.Fatalf("keys %v", own)
	}
	switched := begin.Add(time.Hour)
	r = acknowledgeAll(r, switched)
	want(Retiring, 2, 1)
	r = r.Step(switched.Add(lifetime - 1))
	want(Retiring, 2, 1)
	r = r.Step(switched.Add(lifetime))
	want(Idle, 2)
	if len(r.Lagging()) != 3 || len(r.Names()) != 2 {
		t.Fatalf("lagging %v, names %v", r.Lagging(), r.Names())
	}
	if r = acknowledgeAll(r, begin); len(r.Lagging()) != 0 {
		t.Fatalf("lagging %v", r.Lagging())
	}
}

func TestAPhaseWaitsForEachMemberAndNamesIt(t *testing.T) {
	tests := []struct {
		name   string
		phase  Phase
		acks   []Member
		want   []Member
		passes bool
	}{
		{"adding, one server lags", Adding, []Member{serverA, replica}, []Member{serverB}, false},
		{"adding, the replica lags", Adding, []Member{serverA, serverB}, []Member{replica}, false},
		{"adding, none lags", Adding, []Member{serverA, serverB, replica}, nil, true},
		{"switching, one server lags", Switching, []Member{serverB, replica}, []Member{serverA}, false},
		{"switching, the replica has the names already", Switching, []Member{serverA, serverB}, nil, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := started(t)
			if test.phase == Switching {
				r = acknowledgeAll(r, begin)
			}
			revision := r.Revision
			for _, member := range test.acks {
				r = r.Acknowledge(member, revision, begin)
			}
			if passed := r.Phase != test.phase; passed != test.passes {
				t.Fatalf("phase %s", r.Phase)
			}
			if got := r.Lagging(); !test.passes && !reflect.DeepEqual(got, test.want) {
				t.Fatalf("lagging %v, want %v", got, test.want)
			}
		})
	}
}

func TestOnlyTheNewestRevisionOfAMemberCounts(t *testing.T) {
	r := started(t)
	for _, member := range []Member{serverA, serverB, replica} {
		r = r.Acknowledge(member, r.Revision-1, begin).Acknowledge(member, r.Revision+1, begin)
	}
	r = r.Acknowledge(Member{OfServer, "other"}, r.Revision, begin).Acknowledge(Member{OfServer, "r"}, r.Revision, begin)
	if r.Phase != Adding || len(r.Lagging()) != 3 {
		t.Fatalf("phase %s, lagging %v", r.Phase, r.Lagging())
	}
}

func TestAServerThatIsRemovedIsNotWaitedFor(t *testing.T) {
	r := started(t)
	r = r.Acknowledge(serverA, r.Revision, begin).Acknowledge(replica, r.Revision, begin)
	r = acknowledgeAll(r.SetMembers([]string{"a"}, []string{"r"}, begin), begin)
	if r.Phase != Switching || len(r.Names()) != 2 {
		t.Fatalf("phase %s, names %v", r.Phase, r.Names())
	}
}

func TestAnAddedServerIsWaitedFor(t *testing.T) {
	r := acknowledgeAll(started(t), begin)
	r = r.SetMembers([]string{"a", "b", "c"}, []string{"r"}, begin)
	for _, member := range []Member{serverA, serverB} {
		r = r.Acknowledge(member, r.Revision, begin)
	}
	if got := r.Lagging(); !reflect.DeepEqual(got, []Member{{OfServer, "c"}}) || r.Phase != Switching {
		t.Fatalf("phase %s, lagging %v", r.Phase, got)
	}
	revision := r.Revision
	if r = r.SetMembers([]string{"c", "b", "a"}, []string{"r"}, begin); r.Revision != revision {
		t.Fatal("the same members are a new revision")
	}
}

// It may have encrypted with the old epoch all the time, whenever it was removed.
func TestAServerThatReturnsWithoutHavingSwitchedRestartsTheLifetime(t *testing.T) {
	without := func(r Rotation) Rotation { return r.SetMembers([]string{"a"}, []string{"r"}, begin) }
	start := func(r Rotation) Rotation {
		r, err := r.Start(epoch2, begin)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	unacknowledged := New(epoch1, lifetime, begin).SetMembers([]string{"a", "b"}, []string{"r"}, begin)
	for name, r := range map[string]Rotation{
		"idle":                       start(acknowledgeAll(without(idle()), begin)),
		"idle, without keys":         start(acknowledgeAll(without(unacknowledged), begin)),
		"idle, and returned between": start(without(without(idle()).SetMembers([]string{"a", "b"}, []string{"r"}, begin))),
		"adding":                     without(started(t)),
		"adding, acknowledged":       without(started(t).Acknowledge(serverB, started(t).Revision, begin)),
		"switching":                  without(acknowledgeAll(started(t), begin)),
	} {
		for r.Phase != Retiring {
			r = acknowledgeAll(r, begin)
		}
		later := begin.Add(time.Hour)
		r = r.SetMembers([]string{"a", "b"}, []string{"r"}, later)
		if r.Phase != Switching {
			t.Errorf("removed while %s: phase %s", name, r.Phase)
			continue
		}
		if r = acknowledgeAll(r, later); r.Phase != Retiring || !r.DropAt.Equal(later.Add(lifetime)) {
			t.Errorf("removed while %s: phase %s, drops at %v", name, r.Phase, r.DropAt)
		}
	}
}

func TestAServerThatNeverHadTheOldEpochDoesNotRestartTheLifetime(t *testing.T) {
	all, both, one := []string{"a", "b", "c"}, []string{"a", "b"}, []string{"a"}
	retiring := acknowledgeAll(acknowledgeAll(started(t), begin), begin)
	switching := acknowledgeAll(started(t), begin)
	switched := acknowledgeAll(switching.Acknowledge(serverB, switching.Revision, begin).SetMembers(one, nil, begin), begin)
	for name, r := range map[string]Rotation{
		"a new server":                 retiring.SetMembers(all, nil, begin),
		"a new one that returns":       retiring.SetMembers(all, nil, begin).SetMembers(both, nil, begin).SetMembers(all, nil, begin),
		"removed while retiring":       retiring.SetMembers(one, nil, begin).SetMembers(both, nil, begin),
		"removed after it switched":    switched.SetMembers(both, nil, begin),
		"a replica with the same name": switching.SetMembers(one, nil, begin).Acknowledge(serverA, switching.Revision+1, begin).SetMembers(one, []string{"b"}, begin),
	} {
		if r.Phase != Retiring || !r.DropAt.Equal(begin.Add(lifetime)) {
			t.Errorf("%s: phase %s, drops at %v", name, r.Phase, r.DropAt)
		}
	}
}

func TestARemovedServerIsForgottenWhenItsEpochIsDropped(t *testing.T) {
	r := acknowledgeAll(started(t), begin).SetMembers([]string{"a"}, nil, begin) // b may have switched
	r = acknowledgeAll(r, begin).Step(begin.Add(lifetime))
	if r.Phase != Idle || len(r.away) != 1 {
		t.Fatalf("phase %s, away %v", r.Phase, r.away)
	}
	r, err := r.Start(NewEpoch(3), begin)
	if err != nil {
		t.Fatal(err)
	}
	for r.Phase != Retiring {
		r = acknowledgeAll(r, begin)
	}
	if returned := r.SetMembers([]string{"a", "b"}, nil, begin); returned.Phase != Switching {
		t.Errorf("phase %s", returned.Phase)
	}
	if r = r.Step(begin.Add(lifetime)); r.Phase != Idle || len(r.away) != 0 {
		t.Errorf("phase %s, away %v", r.Phase, r.away)
	}
}

func TestOnlyOneRotationRuns(t *testing.T) {
	if _, err := started(t).Start(NewEpoch(3), begin); !errors.Is(err, ErrRunning) {
		t.Fatalf("error %v", err)
	}
	if _, err := idle().Start(NewEpoch(1), begin); err == nil {
		t.Fatal("an epoch that isn't new was accepted")
	}
}

func TestANameIsOneServersAndOneEpochs(t *testing.T) {
	if epoch1.Name("a") == epoch1.Name("b") || epoch1.Name("a") == epoch2.Name("a") || epoch1.Name("a") != epoch1.Name("a") {
		t.Fatal("names aren't unique and constant")
	}
}
