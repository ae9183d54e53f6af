package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"time"

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

// servePages listens only if configured: the protocol needs no open port.
func servePages(address string, pages map[string]http.Handler, log *slog.Logger) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, refuse("metrics can't be served at %s (%w): choose another address with --metrics-listen", address, err)
	}
	mux := http.NewServeMux()
	for path, page := range pages {
		mux.Handle("GET "+path, page)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics are no longer served", "err", err)
		}
	}()
	log.Info("serving metrics", "address", listener.Addr().String())
	return func() {
		_ = server.Close()
		<-done
	}, nil
}
