package main

import (
	"cmp"
	"context"
	"log/slog"
	"net/netip"
	"os"

	"fairlead.dev/agents/internal/adaptive"
	"fairlead.dev/agents/internal/adaptive/cpulimit"
	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/adaptive/pressure"
	"fairlead.dev/agents/internal/adaptive/sockets"
	"fairlead.dev/agents/internal/agent"
)

// onlineCPUs is the kernel's list of the host's CPUs.
const onlineCPUs = "/sys/devices/system/cpu/online"

func runAdaptive(ctx context.Context, s *settings, log *slog.Logger) error {
	listen, err := meshListen(s)
	if err != nil {
		return err
	}
	cgroup, err := sockets.CgroupOf(s.cgroup)
	if err != nil {
		return refusal{err}
	}
	cpu, err := cpuCgroupOf(s.cpuCgroup, cgroup)
	if err != nil {
		return err
	}
	options := adaptive.Options{
		Cgroup: cgroup, PinFolder: adaptivePins(replicaName(cmp.Or(s.replica, s.node))), Listen: listen, Log: log,
		CPU:      cpulimit.Cgroup{CPU: cpu, CPUSet: cpu, Root: cgroup, Online: onlineCPUs},
		Pressure: pressure.Files{Cgroup: cpu, Host: "/proc/pressure"},
	}
	if s.cpuCgroup == "" {
		options.Pods = func() string { return cpulimit.PodsIn(cgroup) }
	}
	if err := sockets.Preflight(sockets.Options{Cgroup: cgroup, PinFolder: options.PinFolder, Node: s.node}); err != nil {
		return refusal{err}
	}
	driver := adaptive.NewDriver(options)
	link := &agent.ObservedLink{Link: linkOf(s, nil, log)}
	stopPages, err := servePages(s.pages, driver.Pages(link), log)
	if err != nil {
		return err
	}
	defer stopPages()
	return agent.Run(ctx, agent.Options{Link: link, StateFolder: s.state, StateKey: s.stateKey, Log: log}, adaptive.NewRole(driver))
}

// cpuCgroupOf returns the cgroup whose CPU limit and pressure are those of backends, unless a kubelet runs pods on the
// node: other processes of the node wait for themselves, so it is that of all pods then, as soon as there is one.
func cpuCgroupOf(set, cgroup string) (string, error) {
	if set == "" {
		return cgroup, nil
	}
	if info, err := os.Stat(set); err != nil || !info.IsDir() {
		return "", refuse("%q is no folder of a cgroup: set --cpu-cgroup, such as /sys/fs/cgroup/kubepods.slice", set)
	}
	return set, nil
}

// meshListen returns the address at which other nodes reach this one.
func meshListen(s *settings) (func(context.Context) (netip.AddrPort, error), error) {
	if s.meshListen == "" && s.controlPlane != "" {
		return func(ctx context.Context) (netip.AddrPort, error) {
			return addressTowards(ctx, s.controlPlane, mesh.Port, "--mesh-listen")
		}, nil
	}
	at, err := netip.ParseAddrPort(s.meshListen)
	if err != nil || at.Addr().IsUnspecified() || at.Port() == 0 {
		return nil, refuse("%q isn't an address at which other nodes reach this one: set --mesh-listen, such as 10.0.0.1:%d", s.meshListen, mesh.Port)
	}
	return func(context.Context) (netip.AddrPort, error) { return at, nil }, nil
}

// adaptivePins is where the role has its programs and their maps, by the name of its agent.
func adaptivePins(name string) string { return adaptive.PinsOf(name) }
