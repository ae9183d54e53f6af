package kernel

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestEveryMissingFeatureHasAReason(t *testing.T) {
	features := Probe()
	for _, feature := range features {
		t.Logf("%-20s %-5v %s", feature.Name, feature.Available, feature.Reason)
		if feature.Available != (feature.Reason == "") || (feature.Reason != "" && !strings.HasSuffix(feature.Reason, ".")) {
			t.Errorf("%+v: want a reason, as a sentence, if and only if it is not available", feature)
		}
	}
	if !slices.IsSortedFunc(features, func(a, b Feature) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the order must stay the same, or unchanged facts look changed")
	}
	if !slices.Equal(features, Probe()) {
		t.Error("a second probe differs")
	}
}

// TestMain runs on the main thread, which no test could get otherwise.
func init() { runtime.LockOSThread() }

func TestMain(m *testing.M) {
	before, _ := os.Readlink("/proc/self/ns/net")
	err := loseThread()
	if after, _ := os.Readlink("/proc/self/ns/net"); after != before || (err != nil && !denied(err)) {
		fmt.Fprintf(os.Stderr, "probing from the main thread moved it from %s to %s (%v)\n", before, after, err)
		os.Exit(1)
	}
	runtime.UnlockOSThread()
	os.Exit(m.Run())
}

func TestProbingChangesNothing(t *testing.T) {
	before := hostState(t)
	Probe()
	if after := hostState(t); after != before {
		t.Fatalf("before:\n%s\nafter:\n%s", before, after)
	}
}

// hostState is what the probes could have changed.
func hostState(t *testing.T) string {
	t.Helper()
	namespace, err := os.Readlink("/proc/self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	interfaces, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	modules, _ := os.ReadFile("/proc/modules") // absent where the kernel has no modules
	names := []string{namespace, string(modules)}
	for _, i := range interfaces {
		names = append(names, i.Name)
	}
	return strings.Join(names, "\n")
}
