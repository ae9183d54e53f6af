package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"time"
)

// resolveMost limits how long the name of the control plane is resolved.
const resolveMost = 2 * time.Second

// addressTowards is the address that the kernel selects towards the control plane: other nodes usually reach it too. No
// packet is sent. The flag sets another one.
func addressTowards(ctx context.Context, controlPlane string, port uint16, flag string) (netip.AddrPort, error) {
	parsed, err := url.Parse(controlPlane)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("find the address towards the control plane: %w", err)
	}
	conn, err := (&net.Dialer{Timeout: resolveMost}).DialContext(ctx, "udp", net.JoinHostPort(parsed.Hostname(), firstOf(parsed.Port(), "443")))
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("find the address towards the control plane: %w", err)
	}
	defer conn.Close()
	local, err := netip.ParseAddrPort(conn.LocalAddr().String())
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("find the address towards the control plane: %w", err)
	}
	if local.Addr().IsLoopback() {
		return netip.AddrPort{}, fmt.Errorf("the control plane is on this host, so the address of other nodes' networks is unknown: set %s", flag)
	}
	return netip.AddrPortFrom(local.Addr(), port), nil
}
