//go:build !linux

package userspace

import (
	"net/netip"
	"syscall"

	"fairlead.dev/agents/internal/balancer/datapath"
)

type owned struct{}

func freely(netip.Addr) func(network, address string, conn syscall.RawConn) error { return nil }

// own assumes that the host has the addresses already.
func own([]datapath.Service) (owned, error) { return owned{}, nil }

func (owned) undo() error { return nil }

func (owned) giveUp() (int, error) { return 0, nil }
