package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"fairlead.dev/agents/internal/bench/simulate"
)

// simulateMemory is several times what the largest plans need.
const simulateMemory = 512 << 20

const simulateUsage = `usage: fairlead-agent simulate < PLANS

Predicts latency and load of an exposure with the strategy adaptive, for the control plane: reads {"plans": […]} from
standard input, simulates them, and prints {"results": […]}. It needs no privileges and no network.`

// runSimulate runs the command if it is this one. Limit is limitMemory, except in tests, whose process does more.
func runSimulate(ctx context.Context, arguments []string, in io.Reader, out io.Writer, limit func(bytes uint64) error) (mine bool, err error) {
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
	if err := limit(simulateMemory); err != nil {
		return true, err
	}
	err = simulate.Predict(ctx, in, out)
	if err != nil && !errors.Is(err, context.Canceled) {
		err = refuse("%w", err)
	}
	return true, err
}
