package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"time"

	"fairlead.dev/agents/internal/node/echo"
)

// echoPort is the same on every node, so that it needs no configuration.
const echoPort = 7445

// resolveMost limits how long the name of the control plane is resolved.
const resolveMost = 2 * time.Second

// newMeter returns nil if round trips are switched off.
func newMeter(s *settings, log *slog.Logger) (*echo.Meter, error) {
	switch s.echoListen {
	case "":
		listen := func(ctx context.Context) (netip.AddrPort, error) { return echoAddress(ctx, s.controlPlane) }
		return echo.NewMeter(echo.Options{Listen: listen, Log: log}), nil
	case "off":
		return nil, nil
	}
	at, err := netip.ParseAddrPort(s.echoListen)
	if err != nil || at.Addr().IsUnspecified() {
		return nil, refuse("%q isn't an address at which other nodes reach this one: set --echo-listen, such as 10.0.0.1:%d, or off", s.echoListen, echoPort)
	}
	listen := func(context.Context) (netip.AddrPort, error) { return at, nil }
	return echo.NewMeter(echo.Options{Listen: listen, Log: log}), nil
}

// echoAddress is the address that the kernel selects towards the control plane: other nodes usually
// reach it too. No packet is sent.
func echoAddress(ctx context.Context, controlPlane string) (netip.AddrPort, error) {
	parsed, err := url.Parse(controlPlane)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("find the address towards the control plane: %w", err)
	}
	port := parsed.Port()
	if port == "" {
		port = "443"
	}
	conn, err := (&net.Dialer{Timeout: resolveMost}).DialContext(ctx, "udp", net.JoinHostPort(parsed.Hostname(), port))
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("find the address towards the control plane: %w", err)
	}
	defer conn.Close()
	local, err := netip.ParseAddrPort(conn.LocalAddr().String())
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("find the address towards the control plane: %w", err)
	}
	if local.Addr().IsLoopback() {
		return netip.AddrPort{}, errors.New("the control plane is on this host, so the address of other nodes' networks is unknown: set --echo-listen")
	}
	return netip.AddrPortFrom(local.Addr(), echoPort), nil
}
