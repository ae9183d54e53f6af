package entry

import (
	"errors"
	"fmt"
	"os"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
)

// Clear ends what counts as open at a replica, also if a former process left it. No entry of that replica may work.
func Clear(options Options) error {
	spec, err := program.Spec(program.LoadEntry)
	if err != nil {
		return err
	}
	costs, err := program.OpenCosts(options.PinFolder, spec)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer pins.CloseMaps(costs)
	all, err := counted(costs, options.number(), func(program.EntryKey, program.EntryFlow) (bool, error) { return true, nil })
	if err != nil || len(all) == 0 {
		return err
	}
	// Its program at the engine isn't used, so its maps of the engine may be others.
	collection, err := ebpf.NewCollectionWithOptions(spec, ebpf.CollectionOptions{MapReplacements: costs})
	if err != nil {
		return fmt.Errorf("load the program that ends connections: %w", err)
	}
	defer collection.Close()
	return end(collection, all)
}
