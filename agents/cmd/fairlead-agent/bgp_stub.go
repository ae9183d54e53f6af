//go:build !linux

package main

import (
	"context"
	"log/slog"
)

// The preflight has already rejected these roles.
func runSpeaker(context.Context, *settings, *slog.Logger) error   { return nil }
func runReflector(context.Context, *settings, *slog.Logger) error { return nil }
func runRouter(context.Context, *settings, *slog.Logger) error    { return nil }
func runBackend(context.Context, *settings, *slog.Logger) error   { return nil }
func runAdaptive(context.Context, *settings, *slog.Logger) error  { return nil }

func adaptivePins(string) string { return "" }
