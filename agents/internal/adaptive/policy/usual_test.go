package policy

import "testing"

func TestUsualIsTheMeanOfNodesThatServedRequests(t *testing.T) {
	var usual Usual
	near(t, "before any request", usual.Seconds(), 0)
	for _, seconds := range []float64{0.002, 0, 0.004} {
		usual.Add(seconds)
	}
	near(t, "of two nodes that served, and one that didn't", usual.Seconds(), 0.003)
}
