package simulate

import (
	"context"
	"testing"
	"time"
)

// smallGrid covers each placement at loads and delays where strategies differ most. `fairlead-bench simulate grid`
// has all points.
var smallGrid = gridPoints(placements, []float64{1, 3, 18}, []float64{0.5, 0.88}, []Work{Exponential})

func TestAdaptiveIsAsFastAsTheBestOtherSubjectOfEachPoint(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	names := append(others(), Adaptive)
	lines, err := runGrid(ctx, smallGrid, names, Options{Seed: 1, Seconds: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range compare(lines, names, others()) {
		t.Logf("%-18s p99 ÷ best other: %.3f, worst %.2f at %s", c.Subject, c.GeometricMean, c.Worst, c.WorstCase)
		if c.Subject == Adaptive && (c.GeometricMean > 1.03 || c.Worst > 1.3) {
			t.Errorf("geometric mean %.3f, want at most 1.03; worst %.2f at %s, want at most 1.30", c.GeometricMean, c.Worst, c.WorstCase)
		}
	}
}
