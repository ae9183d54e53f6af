package rap

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the file in testdata")

func TestAnOverloadedNodeSendsToTheOneWithTheBestScore(t *testing.T) {
	node := func(cpu, ram, distance float64) Node { return Node{cpu, ram, distance, true} }
	for _, test := range []struct {
		name  string
		nodes []Node
		want  int
	}{
		{"local below the threshold", []Node{node(.89, .5, 0), node(0, 0, 1)}, 0},
		{"CPU at the threshold", []Node{node(.9, .5, 0), node(.3, .5, 1)}, 1},
		{"memory at the threshold", []Node{node(.1, .9, 0), node(.3, .5, 1)}, 1},
		{"the nearer of two equal ones", []Node{node(1, .5, 0), node(.3, .5, 9), node(.3, .5, 3)}, 2},
		{"a farther one with more free CPU", []Node{node(1, .5, 0), node(.8, .5, 8), node(.1, .5, 9)}, 2},
		{"a full memory is never a destination", []Node{node(1, .5, 0), node(0, .95, 1), node(.8, .5, 9)}, 2},
		{"all overloaded", []Node{node(1, .5, 0), node(.95, .5, 1)}, 0},
		{"no backends here", []Node{{}, node(.5, .5, 1)}, 1},
		{"no backends there", []Node{node(1, .5, 0), {}}, 0},
		{"the first of equal ones", []Node{node(1, .5, 0), node(.3, .5, 3), node(.3, .5, 3)}, 1},
	} {
		best := Best(0, test.nodes, 9, Threshold)
		if got := Choose(0, test.nodes[0], best, Threshold); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

type decision struct {
	Entry     int     `json:"entry"`
	Nodes     []Node  `json:"nodes"`
	Farthest  float64 `json:"farthest"`
	Threshold float64 `json:"threshold"`
	Best      int     `json:"best"`
	SendsTo   int     `json:"sendsTo"`
}

// The control plane's tests read the same file.
func TestDecisionsAreThoseOfTheControlPlane(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var decisions []decision
	for i := range 200 {
		d := decision{Nodes: make([]Node, 1+random.IntN(6)), Threshold: Threshold}
		d.Entry = random.IntN(len(d.Nodes))
		for n := range d.Nodes {
			// Few different values, so that there are equal scores and values at the threshold.
			d.Nodes[n] = Node{float64(random.IntN(11)) / 10, float64(random.IntN(11)) / 10, float64(random.IntN(4)), random.IntN(5) > 0}
			if n == d.Entry || i%9 == 0 {
				d.Nodes[n].Distance = 0
			}
			d.Farthest = max(d.Farthest, d.Nodes[n].Distance)
		}
		d.Best = Best(d.Entry, d.Nodes, d.Farthest, d.Threshold)
		d.SendsTo = Choose(d.Entry, d.Nodes[d.Entry], d.Best, d.Threshold)
		decisions = append(decisions, d)
	}
	var text bytes.Buffer
	text.WriteString("[\n")
	for i, d := range decisions {
		line, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(line)
		if i < len(decisions)-1 {
			text.WriteByte(',')
		}
		text.WriteByte('\n')
	}
	text.WriteString("]\n")
	const file = "testdata/decisions.json"
	if *update {
		if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text.Bytes(), want) {
		t.Errorf("%s has other decisions; run this test with -update", file)
	}
}
