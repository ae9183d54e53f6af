package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/controlplane"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/version"
)

// startReporting reports the pods to the control plane with an agent of our own in each cluster. Stop ends them. A cluster without
// a token receives nothing, and a warning is logged.
func (l *Lab) startReporting(ctx context.Context) (stop func(), err error) {
	if l.options.ControlPlane == "" {
		return func() {}, nil
	}
	var stops []func()
	stop = func() {
		for _, each := range stops {
			each()
		}
	}
	for cluster, inventory := range l.inventories {
		name := RoleName
		if cluster != "" {
			name = RoleName + "." + cluster
		}
		one, err := l.startReporter(ctx, name, inventory)
		if err != nil {
			stop()
			return nil, err
		}
		stops = append(stops, one)
	}
	return stop, nil
}

// startReporter starts the agent with this token and identity.
func (l *Lab) startReporter(ctx context.Context, name string, inventory *inventory) (stop func(), err error) {
	state := filepath.Join(l.options.State, l.topology.Name, name)
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("create a folder for our own identity: %w", err)
	}
	token, err := l.ownToken(name)
	if err != nil {
		return nil, err
	}
	if _, err := controlplane.LoadIdentity(state); err != nil && token == nil {
		l.options.Log.Warn("the control plane receives no pods: put a token into the token folder", "file", name)
		return func() {}, nil
	}
	log := l.options.Log.With("role", name)
	session := controlplane.NewSession(controlplane.Options{
		URL: l.options.ControlPlane, Token: token, NodeName: RoleName, StateFolder: state, Log: log,
		Info: &agentv1.AgentInfo{
			Version: version.Software, ProtocolVersion: version.Protocol, Roles: []string{RoleName},
			Hostname: l.topology.Name, Os: runtime.GOOS, Arch: runtime.GOARCH,
		},
		Dial: func(context.Context, string, string) (net.Conn, error) { return l.dialControlPlane() },
	})
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := agent.Run(ctx, agent.Options{Link: session, StateFolder: state, Log: log}, inventory.role()); err != nil {
			log.Error("pods are no longer reported to the control plane", "err", err)
		}
	}()
	return func() { cancel(); <-ended }, nil
}

func (l *Lab) ownToken(name string) (*controlplane.Token, error) {
	if l.options.Tokens == "" {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(l.options.Tokens, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read our own token: %w", err)
	}
	return controlplane.ParseToken(string(text))
}
