package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"fairlead.dev/agents/internal/adaptive"
	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/backend"
	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/node"
	"fairlead.dev/agents/internal/reflector"
	"fairlead.dev/agents/internal/router"
	"fairlead.dev/agents/internal/speaker"
	"fairlead.dev/agents/internal/version"
)

// Exit codes: a supervisor should restart after failed, not after refused.
const (
	exitFailed  = 1
	exitRefused = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err == nil {
		return
	}
	var code childExit
	if errors.As(err, &code) {
		os.Exit(int(code))
	}
	fmt.Fprintln(os.Stderr, "fairlead-agent:", err)
	if errors.As(err, new(refusal)) || errors.Is(err, controlplane.ErrEnrolment) || errors.Is(err, controlplane.ErrAuthority) {
		os.Exit(exitRefused)
	}
	os.Exit(exitFailed)
}

func run(ctx context.Context, arguments []string) error {
	if len(arguments) == 1 && (arguments[0] == "version" || arguments[0] == "--version") {
		fmt.Printf("fairlead-agent %s (protocol %d)\n", version.Software, version.Protocol)
		return nil
	}
	if mine, err := runLab(ctx, arguments); mine {
		return err
	}
	if mine, err := runDecap(ctx, arguments); mine {
		return err
	}
	if mine, err := runSimulate(ctx, arguments, os.Stdin, os.Stdout, limitMemory); mine {
		return err
	}
	if len(arguments) > 0 && slices.Contains([]string{"help", "--help", "-h"}, arguments[len(arguments)-1]) {
		fmt.Println(usage)
		return nil
	}
	settings, err := parseSettings(arguments, os.Getenv, os.Stdin)
	if err != nil {
		return err
	}
	release, err := preflight(settings)
	if err != nil {
		return err
	}
	defer release()

	log := newLogger(settings)
	log.Info("starting", "version", version.Software, "controlPlane", settings.controlPlane, "config", settings.configFile, "state", settings.state)
	switch settings.role {
	case balancer.RoleName:
		err = runBalancer(ctx, settings, log)
	case backend.RoleName:
		err = runBackend(ctx, settings, log)
	case adaptive.RoleName:
		err = runAdaptive(ctx, settings, log)
	case speaker.RoleName:
		err = runSpeaker(ctx, settings, log)
	case reflector.RoleName:
		err = runReflector(ctx, settings, log)
	case router.RoleName:
		err = runRouter(ctx, settings, log)
	default:
		err = runNode(ctx, settings, log)
	}
	log.Info("stopped")
	return err
}

func runNode(ctx context.Context, settings *settings, log *slog.Logger) error {
	meter, err := newMeter(settings, log)
	if err != nil {
		return err
	}
	driver := node.NewDriver(node.NewSource(), node.NewFacts(), meter)
	stopMetrics, err := servePages(settings.pages, map[string]http.Handler{"/metrics": driver.Metrics()}, log)
	if err != nil {
		return err
	}
	defer stopMetrics()
	return agent.Run(ctx, agent.Options{Link: newSession(settings, nil, log), StateFolder: settings.state, StateKey: settings.stateKey, Log: log}, node.NewRole(driver))
}
