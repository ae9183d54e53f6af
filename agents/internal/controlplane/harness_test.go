package controlplane_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// agent is a running session and its log.
type agent struct {
	*controlplane.Session
	log  *journal
	stop func()
	err  chan error
}

// start runs a session until the test ends or stop is called.
func start(t *testing.T, options controlplane.Options) *agent {
	t.Helper()
	log := &journal{}
	options.URL = controlplanetest.URL
	options.NodeName = "node-a"
	options.Info = &agentv1.AgentInfo{Version: "test"}
	options.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ctx, cancel := context.WithCancel(t.Context())
	a := &agent{Session: controlplane.NewSession(options), log: log, err: make(chan error, 1)}
	var running sync.WaitGroup
	running.Go(func() { a.err <- a.Run(ctx, 0) })
	a.stop = func() { cancel(); running.Wait() }
	t.Cleanup(a.stop)
	return a
}

// enrolled starts a session with a fresh token and waits until it watches.
func enrolled(t *testing.T, cp *controlplanetest.ControlPlane, folder string) *agent {
	t.Helper()
	a := start(t, controlplane.Options{Token: token(t, cp), StateFolder: folder, Dial: cp.Network.Dial})
	synctest.Wait()
	if len(cp.Watches()) == 0 {
		t.Fatalf("the agent does not watch:\n%s", a.log)
	}
	return a
}

func token(t *testing.T, cp *controlplanetest.ControlPlane) *controlplane.Token {
	t.Helper()
	token, err := controlplane.ParseToken(cp.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func config(revision uint64) *agentv1.NodeConfig { return &agentv1.NodeConfig{Revision: revision} }

// journal keeps log lines.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func (j *journal) count(part string) int { return strings.Count(j.String(), part) }
