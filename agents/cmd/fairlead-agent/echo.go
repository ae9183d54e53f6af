package main

import (
	"context"
	"log/slog"
	"net/netip"

	"fairlead.dev/agents/internal/node/echo"
)

// echoPort is the same on every node, so that it needs no configuration.
const echoPort = 7445

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

func echoAddress(ctx context.Context, controlPlane string) (netip.AddrPort, error) {
	return addressTowards(ctx, controlPlane, echoPort, "--echo-listen")
}
