package main

import (
	"context"
	"log/slog"
	"os"
	"runtime"

	"fairlead.dev/agents/internal/controlplane"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/version"
)

func newLogger(s *settings) *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelInfo}
	if s.verbose {
		options.Level = slog.LevelDebug
	}
	var handler slog.Handler = slog.NewTextHandler(os.Stderr, options)
	if s.jsonLog {
		handler = slog.NewJSONHandler(os.Stderr, options)
	}
	return slog.New(handler).With("node", s.node, "role", s.role)
}

func agentInfo(role string) *agentv1.AgentInfo {
	hostname, err := os.Hostname()
	if err != nil {
		hostname = "" // the control plane has the node's name anyway
	}
	return &agentv1.AgentInfo{
		Version: version.Software, ProtocolVersion: version.Protocol, Roles: []string{role},
		Hostname: hostname, Os: runtime.GOOS, Arch: runtime.GOARCH,
	}
}

// answering handles queries to a role; nil: it supports none.
type answering = func(context.Context, *agentv1.Question) *agentv1.AnswerRequest

func newSession(s *settings, answer answering, log *slog.Logger) *controlplane.Session {
	return controlplane.NewSession(controlplane.Options{
		URL: s.controlPlane, Token: s.token, NodeName: s.node,
		StateFolder: s.state, Info: agentInfo(s.role), Log: log, Answer: answer,
	})
}
