package datapathtest

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/netspace"
)

// counters are open files, each of the namespace that it was opened in: a flood reads
// them thousands of times, and would otherwise enter every namespace with a new thread
// each time.
type counters []*os.File

// openCounters opens the counters of the first balancer and of the backends.
func (tr *trial) openCounters(t *testing.T) (files counters) {
	t.Helper()
	spaces := []*netspace.Space{tr.network.Balancers[0]}
	for _, host := range tr.network.Backends {
		spaces = append(spaces, host.Space)
	}
	for _, space := range spaces {
		file, err := inside(space, func() (*os.File, error) { return os.Open("/proc/thread-self/net/snmp") })
		must(t, err)
		t.Cleanup(func() { _ = file.Close() })
		files = append(files, file)
	}
	return files
}

// tcpLines matches the names of the TCP counters, and their values.
var tcpLines = regexp.MustCompile(`(?m)^Tcp: .*$`)

// segmentsIn returns the sum of received TCP segments.
func (c counters) segmentsIn(t *testing.T) (all int) {
	t.Helper()
	for _, file := range c {
		_, err := file.Seek(0, io.SeekStart)
		must(t, err)
		text, err := io.ReadAll(file)
		must(t, err)
		lines := tcpLines.FindAllString(string(text), 2)
		if len(lines) < 2 {
			t.Fatal("the kernel counts no segments")
		}
		at := slices.Index(strings.Fields(lines[0]), "InSegs")
		n, err := strconv.Atoi(strings.Fields(lines[1])[at])
		must(t, err)
		all += n
	}
	return all
}
