package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"fairlead.dev/agents/internal/bench"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := bench.Command(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fairlead-bench:", err)
		os.Exit(1)
	}
}
