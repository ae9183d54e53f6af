package churn

import (
	"strings"
	"testing"

	"fairlead.dev/agents/internal/lab/topologies"
	"fairlead.dev/agents/internal/lab/topology"
)

func TestEachCableOfNodesAndClientsLoses(t *testing.T) {
	for _, name := range []string{"churn", "churnsmall", "demo"} {
		text, _ := topologies.Find(name)
		before, err := topology.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		lossy, err := Lossy(text, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		after, err := topology.Parse(lossy)
		if err != nil {
			t.Fatalf("%v\n%s", err, lossy)
		}
		if len(after.Nodes) != len(before.Nodes) || len(after.Clients) != len(before.Clients) || len(after.Pods) != len(before.Pods) {
			t.Errorf("%s has other members:\n%s", name, lossy)
		}
		var links []topology.Link
		for _, node := range after.Nodes {
			links = append(links, node.Link)
		}
		for _, client := range after.Clients {
			links = append(links, client.Link)
		}
		for _, link := range links {
			if link.Loss != 0.005 {
				t.Errorf("%s: a cable loses %g:\n%s", name, link.Loss, lossy)
			}
		}
		if !strings.Contains(string(lossy), "\nname: "+name+"\n") {
			t.Errorf("no line of its own has the name, which labs replace:\n%s", lossy)
		}
	}
}

func TestLossThatHidesBrokenConnectionsIsRefused(t *testing.T) {
	for _, percent := range []float64{-1, 2.1, 100} {
		if _, err := Lossy([]byte("name: a"), percent); err == nil || !strings.Contains(err.Error(), "give 0 to 2") {
			t.Errorf("%g: %v", percent, err)
		}
	}
	if same, err := Lossy([]byte("name: a"), 0); err != nil || string(same) != "name: a" {
		t.Errorf("%q, %v", same, err)
	}
}
