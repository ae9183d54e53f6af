package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"fairlead.dev/agents/internal/bench/simulate"
)

const simulateUsage = `usage: fairlead-agent simulate < PLANS

Predicts latency and load of an exposure with the strategy adaptive, for the control plane: reads {"plans": […]} from
standard input, simulates them, and prints {"results": […]}. It needs no privileges and no network.`

// runSimulate runs the command if it is this one.
func runSimulate(ctx context.Context, arguments []string, in io.Reader, out io.Writer) (mine bool, err error) {
	if len(arguments) == 0 || arguments[0] != "simulate" {
		return false, nil
	}
	if slices.Contains([]string{"help", "--help", "-h"}, arguments[len(arguments)-1]) {
		_, err := fmt.Fprintln(out, simulateUsage)
		return true, err
	}
	if len(arguments) > 1 {
		return true, refuse("unexpected argument %q\n%s", arguments[1], simulateUsage)
	}
	err = simulate.Predict(ctx, in, out)
	if err != nil && !errors.Is(err, context.Canceled) {
		err = refuse("%w", err)
	}
	return true, err
}
