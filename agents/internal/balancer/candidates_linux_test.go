package balancer_test

import (
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/privileged"
)

// The proxy listens on addresses, whichever interface they belong to.
func TestEnginesThatNeedAnInterfaceReportThatItIsAbsent(t *testing.T) {
	privileged.Need(t)
	for _, candidate := range balancer.Candidates() {
		if candidate.Name == "userspace" {
			continue
		}
		t.Run(candidate.Name, func(t *testing.T) {
			err := candidate.Preflight(datapath.Options{Interface: "absent0", Name: "test", StateFolder: "/sys/fs/bpf/fairlead-test"})
			if err == nil || !strings.Contains(err.Error(), "absent0") {
				t.Errorf("refused with %v", err)
			}
		})
	}
}
