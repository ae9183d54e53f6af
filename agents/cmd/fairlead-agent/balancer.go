package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/delivery"
	"fairlead.dev/agents/internal/balancer/netwatch"
	"fairlead.dev/agents/internal/configfile"
	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/flows"
	"fairlead.dev/agents/internal/health"
)

// flowsPort is the same on every replica, so that it needs no configuration.
const flowsPort = "7444"

// linger is longer than a router needs to process a withdrawal.
const linger = 2 * time.Second

func runBalancer(ctx context.Context, s *settings, log *slog.Logger) error {
	if err := checkInterface(s.iface); err != nil {
		return err
	}
	listen, err := flowsListen(s)
	if err != nil {
		return err
	}
	prober := delivery.New(s.iface, health.Prober{}.Probe)
	defer prober.Close()
	driver := balancer.NewDriver(balancer.Options{
		Candidates:  balancer.Candidates(),
		Engine:      datapath.Options{Interface: s.iface, Name: replicaName(cmp.Or(s.replica, s.node)), Connections: s.connections},
		StateFolder: s.state, Log: log,
		AdaptivePins: adaptivePins(replicaName(cmp.Or(s.adaptive, s.node))),
		Probe:        prober.Probe, ProbeWarning: prober.Warning,
		Watch:  netwatch.Start,
		Linger: linger,
		Flows:  flows.Options{Listen: listen, Identity: flowsIdentity(s), Log: log},
	})
	link := &agent.ObservedLink{Link: linkOf(s, nil, log)}
	stopPages, err := servePages(s.pages, driver.Pages(link), log)
	if err != nil {
		return err
	}
	defer stopPages()
	return agent.Run(ctx, agent.Options{Link: link, StateFolder: s.state, StateKey: s.stateKey, Log: log}, balancer.NewRole(driver))
}

func checkInterface(name string) error {
	if _, err := net.InterfaceByName(name); err != nil {
		return refuse("there is no interface %q here (%w): name the one where packets of clients arrive, or where peers are, with --interface", name, err)
	}
	return nil
}

func linkOf(s *settings, answer answering, log *slog.Logger) agent.Link {
	if s.configFile != "" {
		return configfile.New(s.configFile, log)
	}
	return newSession(s, answer, log)
}

// flowsListen is where peers reach this replica: an interface may get or change its address later.
func flowsListen(s *settings) (func() (string, error), error) {
	switch s.flowsListen {
	case "":
		return func() (string, error) {
			host := balancer.HostOf(s.iface)
			if host == "" {
				return "", fmt.Errorf("%s has no address", s.iface)
			}
			return net.JoinHostPort(host, flowsPort), nil
		}, nil
	case "off":
		return nil, nil
	}
	host, _, err := net.SplitHostPort(s.flowsListen)
	if err != nil {
		return nil, refuse("%q is not a listen address (%w): it looks like 10.0.0.1:%s, or off", s.flowsListen, err, flowsPort)
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		return nil, refuse("%q isn't an address at which other replicas reach this one: set --flows-listen, such as 10.0.0.1:%s, or off", s.flowsListen, flowsPort)
	}
	return flows.At(s.flowsListen), nil
}

// flowsIdentity is nil where agents have none: there, replicas communicate unencrypted on their own
// network.
func flowsIdentity(s *settings) func() (*flows.Identity, error) {
	if s.configFile != "" {
		return nil
	}
	return func() (*flows.Identity, error) {
		identity, err := controlplane.LoadIdentity(s.state)
		if err != nil {
			return nil, err
		}
		return &flows.Identity{
			Certificate: tls.Certificate{Certificate: [][]byte{identity.Certificate.Raw}, PrivateKey: identity.Key, Leaf: identity.Certificate},
			Authority:   identity.Authority,
		}, nil
	}
}

// replicaName can be part of a file name.
func replicaName(node string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, node)
	return cmp.Or(name, "replica")
}
