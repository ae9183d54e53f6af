package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"fairlead.dev/agents/internal/bench"
	"fairlead.dev/agents/internal/bench/load"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := bench.Command(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fairlead-bench:", err)
		os.Exit(exitCode(err))
	}
}

// exitCode distinguishes a void run of the load generator from a failure.
func exitCode(err error) int {
	var void load.VoidError
	if errors.As(err, &void) {
		return load.VoidExitCode
	}
	return 1
}
