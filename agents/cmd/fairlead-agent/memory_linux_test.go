package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestTheKernelLimitsTheMemoryOfPredictions(t *testing.T) {
	const takes = "FAIRLEAD_TEST_TAKES_MEMORY"
	if os.Getenv(takes) != "" {
		if err := limitMemory(simulateMemory); err != nil {
			t.Fatal(err)
		}
		took := make([]byte, simulateMemory)
		t.Skipf("took %d bytes", len(took))
	}
	one := exec.Command(os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
	one.Env = append(os.Environ(), takes+"=1")
	out, err := one.CombinedOutput()
	refused := func(text string) bool { return strings.Contains(string(out), text) }
	// The last one is the race detector's, which allocates more.
	if err == nil || !refused("allocate memory") && !refused("out of memory") && !refused("failed to allocate") {
		t.Errorf("ended with %v and printed %.500s", err, out)
	}
}
