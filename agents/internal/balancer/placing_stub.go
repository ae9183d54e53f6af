//go:build !linux

package balancer

import (
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func checkPlacer(datapath.Engine) error { return datapath.ErrNoSessions }

func openPlacer(datapath.Engine, []netip.AddrPort, func()) (placer, error) {
	return nil, datapath.ErrNoSessions
}
