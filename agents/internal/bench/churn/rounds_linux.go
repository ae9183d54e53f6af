package churn

import (
	"fmt"
	"slices"
	"time"
)

// settling is roughly how long a lab takes to start, become ready, and stop.
const settling = 10 * time.Second

// inRound are the subjects of a round. Each round starts with another one. The subject with the pass
// criterion is in all rounds; the others are in fewer, spread over the whole run, so that comparable
// measurements are close in time.
func (o Options) inRound(chosen []subject, round int) []subject {
	first := round % len(chosen)
	return slices.DeleteFunc(slices.Concat(chosen[first:], chosen[:first]), func(s subject) bool {
		return !s.always && round*o.OtherRounds%o.Rounds >= o.OtherRounds
	})
}

// expected is a sentence with the estimated duration.
func (o Options) expected(chosen []subject) string {
	each := settling + o.Warmup + o.Span + o.longest() + o.Wait
	turns := 0
	for round := range o.Rounds {
		turns += len(o.inRound(chosen, round))
	}
	return fmt.Sprintf("%d turns of about %v: %v", turns, each.Round(time.Second), (time.Duration(turns) * each).Round(time.Minute))
}
