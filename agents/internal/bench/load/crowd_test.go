package load

import (
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

// served is one assignment of a request to a user.
type served struct {
	user int
	due  time.Duration
}

// crowdAt returns a crowd with a clock that the test moves, and what it assigned.
func crowdAt(users int, think time.Duration) (c *crowd, now *time.Duration, all *[]served) {
	now, all = new(time.Duration), new([]served)
	list := make([]*user, users)
	for i := range list {
		list[i] = &user{number: i + 1}
	}
	c = newCrowd(list, think, func() time.Duration { return *now }, func(u *user, due time.Duration) {
		*all = append(*all, served{u.number, due})
	})
	return c, now, all
}

func TestARequestWithoutAFreeUserWaitsAndKeepsItsTime(t *testing.T) {
	c, now, all := crowdAt(1, 0)
	u := c.free[0]
	c.arrive(0)
	*now = 10 * ms
	c.arrive(10 * ms)
	*now = 20 * ms
	c.arrive(20 * ms)
	if want := []served{{1, 0}}; !slices.Equal(*all, want) {
		t.Fatalf("%v, want %v", *all, want)
	}
	*now = 500 * ms
	if due, more := c.release(u, 0); due != 10*ms || !more || u.released != 500*ms {
		t.Errorf("the next request was due at %v (%t), and its user is free since %v", due, more, u.released)
	}
	if due, more := c.release(u, 10*ms); due != 20*ms || !more {
		t.Errorf("the next request was due at %v (%t)", due, more)
	}
	if _, more := c.release(u, 20*ms); more {
		t.Error("a request was served twice")
	}
}

func TestTheUserThatIsFreeForTheLongestIsNext(t *testing.T) {
	c, now, all := crowdAt(2, 0)
	users := slices.Clone(c.free)
	c.arrive(0)
	c.arrive(0)
	*now = 5 * ms
	c.release(users[(*all)[1].user-1], 0)
	*now = 6 * ms
	c.release(users[(*all)[0].user-1], 0)
	*now = 7 * ms
	c.arrive(7 * ms)
	if (*all)[2].user != (*all)[1].user {
		t.Errorf("%v", *all)
	}
}

func TestThinkTimeCountsFromWhenTheRequestWasDue(t *testing.T) {
	c, now, _ := crowdAt(1, 100*ms)
	u := c.free[0]
	c.arrive(0)
	*now = 30 * ms
	c.release(u, 0)
	if u.freeFrom != 100*ms {
		t.Errorf("after a fast reply the user is free from %v", u.freeFrom)
	}
	*now = 100 * ms
	c.arrive(100 * ms)
	*now = 900 * ms
	c.release(u, 100*ms)
	if u.freeFrom != 900*ms {
		t.Errorf("after a slow reply the user is free from %v", u.freeFrom)
	}
}

func TestARequestWaitsForAUserThatThinks(t *testing.T) {
	start := time.Now()
	done := make(chan served, 2)
	u := &user{number: 1}
	c := newCrowd([]*user{u}, 30*ms, func() time.Duration { return time.Since(start) }, func(u *user, due time.Duration) { done <- served{u.number, due} })
	c.arrive(0)
	<-done
	c.release(u, 0)
	c.arrive(ms)
	if got := <-done; got.due != ms || time.Since(start) < 30*ms {
		t.Errorf("%v after %v", got, time.Since(start))
	}
}

// alarms are the times that an alarm was set to.
type alarms struct {
	now *time.Duration
	at  []time.Duration
}

func (a *alarms) Reset(after time.Duration) bool {
	a.at = append(a.at, *a.now+after)
	return true
}

func TestTheAlarmMovesToAUserThatIsFreeEarlier(t *testing.T) {
	c, now, all := crowdAt(2, 100*ms)
	rings := &alarms{now: now}
	c.alarm = rings
	users := slices.Clone(c.free)
	c.arrive(0)
	*now = 50 * ms
	c.arrive(50 * ms)
	first, second := users[(*all)[0].user-1], users[(*all)[1].user-1]
	*now = 60 * ms
	c.release(second, 50*ms) // free from 150 ms
	c.arrive(60 * ms)
	*now = 70 * ms
	c.release(first, 0) // free from 100 ms
	if want := []time.Duration{150 * ms, 100 * ms}; !slices.Equal(rings.at, want) {
		t.Fatalf("the alarm was set to %v, want %v", rings.at, want)
	}
	*now = 100 * ms
	c.ring()
	if want := (served{first.number, 60 * ms}); len(*all) != 3 || (*all)[2] != want {
		t.Errorf("%v, want %v last", *all, want)
	}
}

func TestTheCrowdIsIdleWhenNothingWaits(t *testing.T) {
	c, _, _ := crowdAt(1, 0)
	u := c.free[0]
	c.arrive(0)
	c.arrive(ms)
	c.arrive(2 * ms)
	idle := c.drain()
	c.release(u, 0)
	select {
	case <-idle:
		t.Fatal("idle while a request is served and one waits")
	default:
	}
	if left := c.abandon(); !slices.Equal(left, []time.Duration{2 * ms}) {
		t.Errorf("abandoned %v", left)
	}
	c.release(u, ms)
	<-idle
}
