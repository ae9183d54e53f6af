package health

import (
	"errors"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestRiseAndFall(t *testing.T) {
	for _, test := range []struct {
		name       string
		rise, fall int
		answers    string // + good, - bad
		want       string // u up, d down after each answer
	}{
		{"the first answer decides alone", 3, 3, "+", "u"},
		{"also when it is bad", 3, 3, "-", "d"},
		{"falls after three bad ones in a row", 1, 3, "+--+---", "uuuuuud"},
		{"rises after two good ones in a row", 2, 1, "-+-++", "ddddu"},
		{"a single slip changes nothing", 2, 2, "++-+--++", "uuuuuddu"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, got := newVerdict(start), ""
			for i, answer := range test.answers {
				now := start.Add(time.Duration(i) * time.Second)
				v.take(answerOf(answer), Check{Rise: test.rise, Fall: test.fall}, now)
				got += string(v.Health[0])
			}
			if got != test.want {
				t.Errorf("%s became %s, want %s", test.answers, got, test.want)
			}
		})
	}
}

// Backends may prepare for another delivery a moment after the replicas.
func TestANewPathFallsAfterAsManyBadAnswersAsOneThatWasUp(t *testing.T) {
	for answers, want := range map[string]string{"--+": "unknown unknown up", "---": "unknown unknown down", "+---": "up up up down"} {
		v := newVerdict(start)
		v.isNewPath = true
		var got []string
		for _, answer := range answers {
			v.take(answerOf(answer), Check{Rise: 1, Fall: 3}, start)
			got = append(got, string(v.Health))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s became %v, want %s", answers, got, want)
		}
	}
}

func TestAChangeIsReportedOnceWithItsReasonAndTime(t *testing.T) {
	v, check := newVerdict(start), Check{Rise: 1, Fall: 1}
	if !v.take(nil, check, start) || v.take(nil, check, start.Add(time.Second)) {
		t.Fatal("up must be reported once")
	}
	if !v.take(errors.New("no answer"), check, start.Add(2*time.Second)) || v.take(errors.New("refused"), check, start.Add(3*time.Second)) {
		t.Fatal("down must be reported once")
	}
	if v.State != (State{Health: Down, Message: "refused", Since: start.Add(2 * time.Second), Began: start.Add(2 * time.Second)}) {
		t.Fatalf("state %+v", v.State)
	}
}

func TestAFallStartsAtTheFirstBadResult(t *testing.T) {
	v, check := newVerdict(start), Check{Rise: 2, Fall: 2}
	for i, answer := range "-++--" {
		v.take(answerOf(answer), check, start.Add(time.Duration(i)*time.Second))
	}
	if began := v.Began.Sub(start); v.Health != Down || began != 3*time.Second || v.Since.Sub(start) != 4*time.Second {
		t.Errorf("%s, which began after %s", v.Health, began)
	}
}

func TestABackendThatFlapsIsHeldDownUntilItIsStable(t *testing.T) {
	v, check, now := newVerdict(start), Check{Rise: 1, Fall: 1}, start
	falls := 0
	for ; !v.held; now = now.Add(2 * time.Second) { // up, down, up, down …
		v.take(nil, check, now)
		if v.take(errors.New("no answer"), check, now.Add(time.Second)) {
			falls++
		}
		if falls > 10 {
			t.Fatal("it may flap without limit")
		}
	}
	if falls != 4 {
		t.Errorf("held after %d falls", falls)
	}
	steady := now
	for v.Health != Up {
		v.take(nil, check, now)
		if v.Health == Down && !strings.Contains(v.Message, "went down too often") {
			t.Fatalf("message %q", v.Message)
		}
		if now = now.Add(time.Second); now.Sub(steady) > 2*time.Minute {
			t.Fatal("held without limit")
		}
	}
	if rested := now.Sub(steady); rested < 20*time.Second {
		t.Errorf("released after %v", rested)
	}
}

func TestABackendThatRarelyFallsIsNeverHeld(t *testing.T) {
	v, check := newVerdict(start), Check{Rise: 1, Fall: 1}
	for i := range 100 {
		now := start.Add(time.Duration(i) * time.Minute)
		v.take(errors.New("no answer"), check, now)
		if v.take(nil, check, now.Add(time.Second)); v.Health != Up {
			t.Fatalf("held after %d falls, a minute apart", i+1)
		}
	}
}

func answerOf(sign rune) error {
	if sign == '-' {
		return errors.New("no answer")
	}
	return nil
}
