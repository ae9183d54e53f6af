package node

import (
	"testing"

	"google.golang.org/protobuf/proto"
)

func TestThisHostsFactsAreReadableAndStable(t *testing.T) {
	var counters Counters
	if err := NewSource().Read(&counters); err != nil {
		t.Fatal(err)
	}
	if counters.CPU.Idle == 0 || counters.Memory.Total == 0 || counters.AgentMemoryBytes == 0 {
		t.Fatalf("counters = %+v", counters)
	}
	none := func(string) bool { return false }
	facts := NewFacts()
	first, err := facts.Gather(none)
	if err != nil {
		t.Fatal(err)
	}
	second, err := facts.Gather(none)
	if err != nil || !proto.Equal(first, second) {
		t.Fatalf("unchanged facts compare different (%v):\n%v\n%v", err, first, second)
	}
	if _, err := proto.Marshal(first); err != nil {
		t.Fatal(err)
	}
	if first.GetKernel() == "" || first.GetCpuCount() == 0 || len(first.GetKernelFeatures()) == 0 {
		t.Fatalf("facts = %v", first)
	}
}
