//go:build otherkernel

package tcx_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/vmtest"
)

// TestContractOnAnotherKernel is the contract on the kernel of FAIRLEAD_TEST_KERNEL.
func TestContractOnAnotherKernel(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	datapathtest.Run(t, onTCX)
}
