package xdp_test

import (
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/bpftest"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/xdp"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/vmtest"
)

var onXDP = bpftest.Subject(xdp.Candidate, prepare)

func TestMain(m *testing.M) { vmtest.Main(m, append(vmtest.Network, "sch_ingress", "cls_bpf")...) }

func TestContract(t *testing.T) { datapathtest.Run(t, onXDP) }

// TestDeliveriesOnLinux61 tests the oldest supported kernel: that its verifier accepts the
// program, and that it rewrites packets. How the program is attached is the same everywhere.
func TestDeliveriesOnLinux61(t *testing.T) {
	if !vmtest.Inside() {
		vmtest.Boot(t)
		return
	}
	subject := onXDP
	subject.Only = datapathtest.Rewriting
	datapathtest.Run(t, subject)
}

// prepare does what the hosts of pods must do.
func prepare(t *testing.T, network *datapathtest.Network) {
	bpftest.Unwrap(t, network)
	for _, end := range []string{"balancer1", "balancer2"} {
		preparePeer(t, network.Router, end)
	}
}

func preparePeer(t *testing.T, host *netspace.Space, end string) {
	t.Helper()
	err := host.Do(func() error {
		peer, err := xdp.PreparePeer(end)
		if err == nil {
			t.Cleanup(func() { _ = peer.Close() })
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPreflightReportsWhatTheHostMustDo(t *testing.T) {
	network := datapathtest.NewNetwork(t, false)
	options := datapath.Options{Interface: datapathtest.Interface, Name: "preflight", StateFolder: bpftest.StateFolder}
	preflight := func() error {
		return network.Balancers[0].Do(func() error { return xdp.Candidate.Preflight(options) })
	}
	if err := preflight(); err == nil || !strings.Contains(err.Error(), "no XDP program") {
		t.Errorf("without a program at the peer: %v", err)
	}
	preparePeer(t, network.Router, "balancer1")
	if err := preflight(); err != nil {
		t.Errorf("with all that it needs: %v", err)
	}
	if _, err := network.Router.Run(t.Context(), "ethtool", "-K", "balancer1", "tx", "on"); err != nil {
		t.Fatal(err)
	}
	if err := preflight(); err == nil || !strings.Contains(err.Error(), "ethtool -K balancer1 tx off") {
		t.Errorf("with checksums offloaded at the peer: %v", err)
	}
}

func TestUploadsThroughATunnelFindTheirSize(t *testing.T) {
	for _, delivery := range []datapath.Delivery{datapath.Tunnel, datapath.GUE} {
		t.Run(string(delivery), func(t *testing.T) { bpftest.UploadsFindTheirSize(t, xdp.Candidate, delivery, prepare) })
	}
}
