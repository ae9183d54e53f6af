package program

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
)

// FindFlow looks a flow up in a table.
func FindFlow(maps map[string]*ebpf.Map, name string, key FlowKey) (flow FlowEntry, found bool, err error) {
	err = maps[name].Lookup(key, &flow)
	if errors.Is(err, ebpf.ErrKeyNotExist) {
		return flow, false, nil
	}
	if err != nil {
		return flow, false, fmt.Errorf("look up a flow in %s: %w", name, err)
	}
	return flow, true, nil
}
