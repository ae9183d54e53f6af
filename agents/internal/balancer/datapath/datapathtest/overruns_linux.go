package datapathtest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// overruns are packets that the machine dropped, in whichever namespace, because a
// processor's queue was full: all namespaces share it, so that a test which moves many
// bytes can lose a datagram of another one that runs beside it.
func overruns() (all uint64, err error) {
	const softnet = "/proc/net/softnet_stat"
	text, err := os.ReadFile(softnet)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) { // one for each processor: processed, dropped, …
		fields := strings.Fields(line)
		if len(fields) < 2 {
			return 0, fmt.Errorf("%s: %q isn't understood", softnet, line)
		}
		dropped, err := strconv.ParseUint(fields[1], 16, 32)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", softnet, err)
		}
		all += dropped
	}
	return all, nil
}
