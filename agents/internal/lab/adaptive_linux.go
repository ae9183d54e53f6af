package lab

import (
	"errors"
	"fmt"
	"net/netip"
	"os"

	roles "fairlead.dev/agents/internal/adaptive"
	"fairlead.dev/agents/internal/adaptive/mesh"
	"fairlead.dev/agents/internal/adaptive/sockets"
)

// prepareAdaptive gives a node what its agent of the role adaptive needs. On a machine that can't, the lab runs without
// such agents, and reports why.
func (l *Lab) prepareAdaptive(on *member) {
	if l.unable != "" {
		return
	}
	if err := l.enableAdaptive(on); err != nil {
		l.unable = err.Error()
		l.options.Log.Warn("nodes run no agents of the role adaptive", "err", err)
	}
}

func (l *Lab) enableAdaptive(on *member) error {
	if l.options.Rootless {
		return errors.New("their programs are eBPF, which only root may load: run the lab as root")
	}
	if err := l.makeCgroup(on); err != nil {
		return err
	}
	if !l.isChecked { // the others are on the same machine
		options := sockets.Options{Cgroup: on.cgroup, PinFolder: roles.PinsOf(on.space.Name), Node: on.name}
		if err := sockets.Preflight(options); err != nil {
			return err
		}
		l.isChecked = true
	}
	return l.noteCgroup(on)
}

// startAdaptive runs the agent of a node that distributes connections. Its configs come from a control plane only.
func (l *Lab) startAdaptive(on *member) error {
	m := &member{kind: adaptive, name: on.name + ".adaptive", node: on.name, why: l.unable}
	l.share(m, on)
	if m.why == "" && l.options.ControlPlane == "" {
		m.why = "it needs a control plane: start the lab with --control-plane"
	}
	if m.why != "" {
		return nil
	}
	if err := os.MkdirAll(l.folder.at(m.name), 0o700); err != nil {
		return fmt.Errorf("create the folder of %s: %w", m.name, err)
	}
	command := []string{
		l.options.Program, "adaptive", "--node-name", on.name, "--replica", on.space.Name, "--state", l.statePath(m),
		"--cgroup", on.cgroup, "--mesh-listen", netip.AddrPortFrom(on.addresses[0].Addr(), mesh.Port).String(),
	}
	return l.run(m, append(command, l.controlPlaneFlags(m)...)...)
}
