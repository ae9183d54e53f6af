package churn

import (
	"strings"
	"testing"

	"fairlead.dev/agents/internal/lab/app"
)

func TestOursIsInEveryRoundAndOthersAreSpreadOverAll(t *testing.T) {
	o := Options{Scenario: scenario(t, "churn"), Rounds: 10, OtherRounds: 3, Wait: app.AnswerTimeout}
	all := subjects("bench")
	rounds := map[string][]int{}
	for round := range o.Rounds {
		for _, s := range o.inRound(all, round) {
			rounds[s.name] = append(rounds[s.name], round)
		}
	}
	if len(rounds["Fairlead"]) != 10 {
		t.Errorf("ours is in rounds %v", rounds["Fairlead"])
	}
	for _, s := range all[1:] {
		if in := rounds[s.name]; len(in) != 3 || in[0] != 0 || in[2] < 6 {
			t.Errorf("%s is in rounds %v", s.name, in)
		}
	}
	if text := o.expected(all); !strings.HasPrefix(text, "22 turns of about 1m45s: 39m") {
		t.Error(text)
	}
	o.Rounds = 2 // fewer rounds than the others have: then they are in all of them, too
	if in := o.inRound(all, 1); len(in) != len(all) || in[0].name != all[1].name {
		t.Errorf("%d subjects", len(in))
	}
}
