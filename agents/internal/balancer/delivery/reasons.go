package delivery

import (
	"fmt"
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/health"
)

// The reasons are clauses about the backend, as those of [health.Prober] are.

func unanswered(path health.Path, own netip.Addr) error {
	at := path.Service.Address
	switch path.Delivery {
	case datapath.Tunnel:
		return fmt.Errorf("isn't reached at the service address %s through the tunnel: check that it decapsulates packets from %s, and that the address is set on its lo", at, own)
	case datapath.GUE:
		return fmt.Errorf("isn't reached at the service address %s through GUE: check that it decapsulates packets from %s, and that the address is set on its lo", at, own)
	}
	return fmt.Errorf("isn't reached at the service address %s: check that the address is set on its lo", at)
}

func refused(path health.Path) error {
	return fmt.Errorf("refuses connections to the service address %s: check that its server listens there", path.Service)
}

func fromElsewhere(path health.Path, from netip.Addr) error {
	return fmt.Errorf("answers from %s instead of the service address %s: its server has to send from the address that was asked", from, path.Service.Address)
}

// unprobed is the warning while paths can't be probed.
func unprobed(err error) string {
	return fmt.Sprintf("Health checks don't test the delivery of packets, only the backends' own addresses: %v.", err)
}
