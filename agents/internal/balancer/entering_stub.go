//go:build !linux

package balancer

import "fairlead.dev/agents/internal/balancer/datapath"

func openEntry(datapath.Engine, string, string) (byCost, error) { return nil, datapath.ErrNoCosts }

func clearEntered(string, string) error { return nil }
