package adaptive

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

const (
	mostLatenessMs = 1.0
	leastIdle      = 0.1 // of all processors
)

// void returns why the figures don't count: the machine or the generator, and not the subject, delayed requests.
func (t *Turn) void() []string {
	reasons := []string{}
	if t.IdleShare < leastIdle {
		reasons = append(reasons, fmt.Sprintf("the machine was saturated: %.0f %% idle, at least %.0f %% are needed", 100*t.IdleShare, 100*leastIdle))
	}
	if t.LatenessP99Ms > mostLatenessMs {
		reasons = append(reasons, fmt.Sprintf("requests were sent late (p99 %.3g ms, allowed are %g ms)", t.LatenessP99Ms, mostLatenessMs))
	}
	return reasons
}

// processors is their time since the machine started, in ticks.
type processors struct{ idle, all uint64 }

func readProcessors() (p processors, err error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return p, err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return parseProcessors(line)
}

// parseProcessors reads the first line of /proc/stat, without the times of VMs, which are also in the user times.
func parseProcessors(line string) (p processors, err error) {
	const idle, waiting, stolen = 3, 4, 7
	fields := strings.Fields(line)
	if len(fields) < stolen+2 || fields[0] != "cpu" {
		return p, fmt.Errorf("the processors' time %q is incomplete", line)
	}
	for i, field := range fields[1 : stolen+2] {
		ticks, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			return p, fmt.Errorf("the processors' time %q: %w", line, err)
		}
		if p.all += ticks; i == idle || i == waiting {
			p.idle += ticks
		}
	}
	return p, nil
}

func (p processors) idleShare(before processors) float64 {
	return float64(p.idle-before.idle) / float64(max(p.all-before.all, 1))
}
