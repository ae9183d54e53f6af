package bench

import (
	"slices"
	"testing"
)

func TestTheGeneratorIsMeasuredWithEachKindOfLoadAndAStalledServer(t *testing.T) {
	steps, halves, stalls := map[string]int{}, map[string]int{}, 0
	err := MeasureGenerator(t.Context(), GeneratorPlan{Rounds: 1, Seconds: 1, Steps: 1}, func(line GeneratorLine) {
		if stall := line.Stall; stall != nil {
			stalls++
			// The server is stopped for 200 ms of the second. A busy machine makes it longer.
			if stall.LatencyP99Ms < 0.8*stall.StallMs || stall.StallMs != 200 || stall.ClosedLoopMaxMs < 0.8*stall.StallMs || stall.ClosedLoopP99Ms <= 0 {
				t.Errorf("%+v", stall)
			}
			return
		}
		step := line.Step
		if steps[step.Kind]++; step.Half {
			halves[step.Kind]++
		}
		if step.SentPerSecond <= 0 || step.LatencyP99Ms < step.LatencyP50Ms || step.LatencyP50Ms <= 0 || step.Failed > 0 {
			t.Errorf("%+v", step)
		}
		if resumes := step.Kind == "returns that resume"; resumes != (step.Resumed > 0) {
			t.Errorf("%d connections resumed: %+v", step.Resumed, step)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range generatedKinds {
		if steps[kind.kind] != 2 || halves[kind.kind] != 1 {
			t.Errorf("%s was measured %d times, %d of them at half the limit", kind.kind, steps[kind.kind], halves[kind.kind])
		}
	}
	if stalls != 1 {
		t.Errorf("%d stalls", stalls)
	}
}

func TestARateIsReachedByAValidRunThatSendsWhatIsDue(t *testing.T) {
	good := GeneratorStep{Rate: 1000, DuePerSecond: 900, SentPerSecond: 895}
	late, failed, slow := good, good, good
	late.VoidReasons, failed.Failed, slow.SentPerSecond = []string{"late"}, 1, 885
	var reached []bool
	for _, each := range []GeneratorStep{good, late, failed, slow} {
		reached = append(reached, each.reached())
	}
	if !slices.Equal(reached, []bool{true, false, false, false}) {
		t.Errorf("%v", reached)
	}
}
