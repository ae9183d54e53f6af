package tcx_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/bpftest"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
)

var onTCX = bpftest.Subject(tcx.Candidate, bpftest.Unwrap)

func TestContract(t *testing.T) { datapathtest.Run(t, onTCX) }

func TestUploadsThroughATunnelFindTheirSize(t *testing.T) {
	for _, delivery := range []datapath.Delivery{datapath.Tunnel, datapath.GUE} {
		t.Run(string(delivery), func(t *testing.T) { bpftest.UploadsFindTheirSize(t, tcx.Candidate, delivery, bpftest.Unwrap) })
	}
}
