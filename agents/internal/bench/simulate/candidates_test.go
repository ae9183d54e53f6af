package simulate

import "testing"

func TestOnlyNodesWithBackendsCountAsMany(t *testing.T) {
	const nodes = 20
	for _, test := range []struct {
		name         string
		others, want int // other nodes with backends, and candidates
		isLocal      bool
	}{
		{"few", 5, 5, false},
		{"as many as are all compared", mostRemote, mostRemote, true},
		{"more", mostRemote + 1, sampledRemote, true},
		{"more, and none at the entry", mostRemote + 1, sampledRemote, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			cores, backends := make([]float64, nodes), make([]int, nodes)
			for j := range nodes {
				if cores[j] = 2; j >= 1 && j <= test.others {
					backends[j] = 2
				}
			}
			if test.isLocal {
				backends[0] = 1
			}
			ours := &adaptive{}
			s := newSimulation(Cluster(cores, backends, 0.001), ours)
			ours.start(s)
			if got := len(ours.candidates(s, 0)); got != test.want {
				t.Errorf("%d candidates, want %d", got, test.want)
			}
		})
	}
}
