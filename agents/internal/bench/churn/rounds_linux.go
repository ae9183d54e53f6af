package churn

import (
	"fmt"
	"slices"
	"time"
)

// settling is about how long a laboratory takes to come up, be ready, and go.
const settling = 10 * time.Second

// inRound are the subjects of a round. Each round begins with another. What the bar
// is about is in all of them; others are in fewer, spread over the whole time, so
// that what is compared was measured between.
func (o Options) inRound(chosen []subject, round int) []subject {
	first := round % len(chosen)
	return slices.DeleteFunc(slices.Concat(chosen[first:], chosen[:first]), func(s subject) bool {
		return !s.always && round*o.OtherRounds%o.Rounds >= o.OtherRounds
	})
}

// expected says in a sentence how long it will all take.
func (o Options) expected(chosen []subject) string {
	each := settling + o.Warmup + o.Span + o.longest() + o.Wait
	turns := 0
	for round := range o.Rounds {
		turns += len(o.inRound(chosen, round))
	}
	return fmt.Sprintf("%d turns of about %v: %v", turns, each.Round(time.Second), (time.Duration(turns) * each).Round(time.Minute))
}
