package datapathtest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// overruns returns packets that the machine dropped, in any namespace, because a
// processor's queue was full: all namespaces share it, so a test that moves many bytes
// can cost a concurrent test a datagram.
func overruns() (all uint64, err error) {
	const softnet = "/proc/net/softnet_stat"
	text, err := os.ReadFile(softnet)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) { // one for each processor: processed, dropped, …
		fields := strings.Fields(line)
		if len(fields) < 2 {
			return 0, fmt.Errorf("%s: %q is invalid", softnet, line)
		}
		dropped, err := strconv.ParseUint(fields[1], 16, 32)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", softnet, err)
		}
		all += dropped
	}
	return all, nil
}
