//go:build !linux

package userspace

import (
	"net/netip"
	"syscall"

	"fairlead.dev/agents/internal/balancer/datapath"
)

type owned struct{ failed map[netip.Addr]error }

func freely(netip.Addr) func(network, address string, conn syscall.RawConn) error { return nil }

// own assumes that the host has the addresses already.
func own([]datapath.Service) (owned, error) { return owned{}, nil }

func (owned) giveUp([]datapath.Service) (int, error) { return 0, nil }
