package balancer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// The control plane refuses a wish that no engine could carry, by this file.
func TestEnginesDeliverAsTheControlPlaneIsTold(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "deliveries.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][]datapath.Delivery
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	got := map[string][]datapath.Delivery{}
	for _, candidate := range Candidates() {
		got[candidate.Name] = candidate.Deliveries
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the engines deliver %v, the control plane is told %v: mend testdata/deliveries.json and engineDeliveries in packages/domain", got, want)
	}
}
