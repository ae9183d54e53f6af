package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"fairlead.dev/agents/internal/netspace"
)

// Resent are retransmitted TCP segments, which were lost or late.
type Resent struct {
	Segments uint64 `json:"resent"`
	First    uint64 `json:"resentFirst"`    // of these, SYN retransmissions,
	Probes   uint64 `json:"resentEarly"`    // and tail loss probes, sent after a few ms to detect a loss,
	Repaired uint64 `json:"resentRepaired"` // of which some repaired one
}

// counts are the kernel's names of these counters.
func (r *Resent) counts() []kernelCounter {
	return []kernelCounter{
		{&r.Segments, "snmp", "Tcp:", "RetransSegs"},
		{&r.First, "netstat", "TcpExt:", "TCPSynRetrans"},
		{&r.Probes, "netstat", "TcpExt:", "TCPLossProbes"},
		{&r.Repaired, "netstat", "TcpExt:", "TCPLossProbeRecovery"},
	}
}

type kernelCounter struct {
	into              *uint64
	file, group, name string
}

// resent is what hosts have retransmitted so far.
func resent(spaces []*netspace.Space) (total Resent, err error) {
	for _, space := range spaces {
		err := space.Do(func() error {
			for _, count := range total.counts() {
				n, err := kernelCount(count.file, count.group, count.name)
				if err != nil {
					return err
				}
				*count.into += n
			}
			return nil
		})
		if err != nil {
			return Resent{}, fmt.Errorf("count what %s sent again: %w", space.Name, err)
		}
	}
	return total, nil
}

func (r Resent) since(before Resent) Resent {
	return Resent{r.Segments - before.Segments, r.First - before.First, r.Probes - before.Probes, r.Repaired - before.Repaired}
}

func kernelCount(file, group, name string) (uint64, error) {
	text, err := os.ReadFile("/proc/thread-self/net/" + file) // of the thread: the process is in another namespace
	if err != nil {
		return 0, err
	}
	return countIn(string(text), group, name)
}

// countIn reads a counter, whose name is in one line of its group and whose value is in the next.
func countIn(text, group, name string) (uint64, error) {
	var names []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != group {
			continue
		}
		if names == nil {
			names = fields
			continue
		}
		for i, each := range names {
			if each == name && i < len(fields) {
				return strconv.ParseUint(fields[i], 10, 64)
			}
		}
	}
	return 0, fmt.Errorf("the kernel doesn't count %s", name)
}
