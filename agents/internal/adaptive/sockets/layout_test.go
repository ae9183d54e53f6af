package sockets

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/program"
)

func TestTheKernelUsesFiguresAsLongAsThePolicy(t *testing.T) {
	if got := time.Duration(program.SocketsLimitsOLDEST_FIGURES) * time.Second; got != policy.OldestFigures {
		t.Errorf("the kernel uses figures for %s, the policy for %s", got, policy.OldestFigures)
	}
}
