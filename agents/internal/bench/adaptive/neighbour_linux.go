package adaptive

import (
	"encoding/json"
	"sync/atomic"
)

// NeighbourCommand is the command of another process at a node, which takes all CPU time that it gets while it is busy.
const NeighbourCommand = "adaptive-neighbour"

type neighbourOrder struct{ IsBusy bool }

// Neighbour is idle until the first order.
func Neighbour(argument string) error {
	var options limitedOptions
	if err := json.Unmarshal([]byte(argument), &options); err != nil {
		return err
	}
	if !options.Begun {
		return options.begin(NeighbourCommand)
	}
	var isBusy atomic.Bool
	begun := make(chan struct{}, 1)
	go func() {
		for range begun {
			for isBusy.Load() {
				used()
			}
		}
	}()
	return obey(func(order neighbourOrder) (any, error) {
		if !isBusy.Swap(order.IsBusy) && order.IsBusy {
			begun <- struct{}{}
		}
		return nil, nil
	})
}
