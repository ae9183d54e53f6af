package balancer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// The control plane uses these files to reject a spec that no engine can carry.

func TestTheControlPlaneListsTheDeliveriesOfEngines(t *testing.T) {
	want := controlPlaneList[datapath.Delivery](t, "deliveries.json")
	got := map[string][]datapath.Delivery{}
	for _, candidate := range Candidates() {
		got[candidate.Name] = candidate.Deliveries
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the engines deliver %v, the control plane has %v: fix testdata/deliveries.json and engines in packages/domain/src/exposure/engines.ts", got, want)
	}
}

func TestTheControlPlaneListsTheSchedulersOfEngines(t *testing.T) {
	want := controlPlaneList[string](t, "schedulers.json")
	got := map[string][]string{}
	for _, candidate := range Candidates() {
		if len(candidate.Schedulers) > 0 {
			got[candidate.Name] = candidate.Schedulers
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the engines schedule by %v, the control plane has %v: fix testdata/schedulers.json and engines in packages/domain/src/exposure/engines.ts", got, want)
	}
}

func controlPlaneList[T any](t *testing.T, file string) map[string][]T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][]T
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	return want
}
