package main

import (
	"cmp"
	"context"
	"log/slog"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/backend"
)

func runBackend(ctx context.Context, s *settings, log *slog.Logger) error {
	driver := backend.NewDriver(backend.Options{
		Pins: backend.PinsOf(replicaName(cmp.Or(s.replica, s.node))), StateFolder: s.state, Namespaces: s.namespaces, Log: log,
	})
	link := &agent.ObservedLink{Link: linkOf(s, nil, log)}
	stopPages, err := servePages(s.pages, driver.Pages(link), log)
	if err != nil {
		return err
	}
	defer stopPages()
	return agent.Run(ctx, agent.Options{Link: link, StateFolder: s.state, StateKey: s.stateKey, Log: log}, backend.NewRole(driver))
}
