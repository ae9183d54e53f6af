package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/bench/peer"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// peerListen is a peer's readiness page; each peer has its own pod.
const peerListen = "127.0.0.1:9080"

// peerSubject uses the peer's defaults: as many threads or workers as there are processors.
func peerSubject(kind peer.Kind) subject {
	workloads := Workloads
	if !kind.UDP {
		workloads = slices.DeleteFunc(slices.Clone(Workloads), func(w Workload) bool { return w == UDP })
	}
	return subject{name: kind.Title, kind: Peer, workloads: workloads, peer: &kind, start: keeper(kind)}
}

// lacking returns an error that lists what these subjects need.
func lacking(list []subject) error {
	var kinds []peer.Kind
	for _, s := range list {
		if s.peer != nil {
			kinds = append(kinds, *s.peer)
		}
	}
	return peer.Lacking(kinds...)
}

// keeper starts our process that runs a peer, as in a lab.
func keeper(kind peer.Kind) func(context.Context, *pod) (func() error, error) {
	return func(_ context.Context, p *pod) (func() error, error) {
		file, err := p.writeConfig(kind)
		if err != nil {
			return nil, err
		}
		command := exec.Command("/proc/self/exe", "peer", kind.Name, "--config", file, "--listen", peerListen)
		printed := &bytes.Buffer{}
		command.Stdout, command.Stderr = printed, printed
		if err := p.space.StartBound(command); err != nil {
			return nil, err
		}
		return func() error { return end(command, printed) }, nil
	}
}

// end stops a keeper, and with it the peer.
func end(command *exec.Cmd, printed *bytes.Buffer) error {
	if err := command.Process.Signal(unix.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	killed := time.AfterFunc(5*time.Second, func() { _ = unix.Kill(-command.Process.Pid, unix.SIGKILL) })
	defer killed.Stop()
	if err := command.Wait(); err != nil {
		return fmt.Errorf("end a peer: %w: %s", err, printed)
	}
	return nil
}

// writeConfig writes a balancer's config, as an agent would receive it.
func (p *pod) writeConfig(kind peer.Kind) (string, error) {
	protocols := []string{"tcp"}
	if kind.UDP {
		protocols = append(protocols, "udp")
	}
	role := &agentv1.BalancerRole{}
	for _, protocol := range protocols {
		service := &agentv1.BalancerService{Address: p.service.String(), Port: uint32(p.port), Protocol: protocol}
		for _, end := range p.ends {
			service.Backends = append(service.Backends, &agentv1.BalancerBackend{
				Id: end.name, Address: end.at.Addr().String(), Port: uint32(end.at.Port()), Weight: 1, State: "active",
			})
		}
		role.Services = append(role.Services, service)
	}
	text, err := protojson.Marshal(&agentv1.NodeConfig{Balancer: role})
	if err != nil {
		return "", fmt.Errorf("write the config of %s: %w", kind.Title, err)
	}
	folder := filepath.Join(p.folder, p.end)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(folder, "config.json")
	return path, os.WriteFile(path, text, 0o644)
}
