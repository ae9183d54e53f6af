package bench

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"fairlead.dev/agents/internal/netspace"
)

// ticksPerSecond is USER_HZ, the same on every architecture that we build for.
const ticksPerSecond = 100

// spent is the CPU time so far. The kernel charges its work to the process that was running, if to any.
func (n *network) spent(s *running) (total Spent, err error) {
	if s.pod != nil {
		if total.Balancer, err = processTime(s.pod.space); err != nil {
			return total, err
		}
	}
	if total.Backends, err = processTime(n.backends...); err != nil {
		return total, err
	}
	total.Softirq, total.Idle, total.Processors, err = machine()
	return total, err
}

func machine() (softirq, idle, all float64, err error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0, 0, err
	}
	return machineIn(string(text))
}

// in is the share of the CPU time that falls into the measured time: the warm-up costs as much per second.
func (s Spent) in(plan Plan, before Spent) Spent {
	part := plan.For.Seconds() / (plan.Warmup + plan.For).Seconds()
	return Spent{
		Balancer: part * (s.Balancer - before.Balancer), Backends: part * (s.Backends - before.Backends),
		Softirq: part * (s.Softirq - before.Softirq), Idle: part * (s.Idle - before.Idle), Processors: part * (s.Processors - before.Processors),
	}
}

// processTime is the CPU time of all processes in the namespaces so far, in seconds.
func processTime(spaces ...*netspace.Space) (float64, error) {
	var names []string
	for _, space := range spaces {
		names = append(names, space.Name)
	}
	pids, err := netspace.Processes(names...)
	if err != nil {
		return 0, err
	}
	var ticks uint64
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has just ended
		}
		used, err := ticksIn(string(text))
		if err != nil {
			return 0, err
		}
		ticks += used
	}
	return float64(ticks) / ticksPerSecond, nil
}

// ticksIn reads utime and stime from /proc/PID/stat; a name may contain spaces and parentheses.
func ticksIn(stat string) (uint64, error) {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	const user, system = 11, 12
	if len(fields) <= system {
		return 0, fmt.Errorf("read the processor time in %q: too short", stat)
	}
	u, errU := strconv.ParseUint(fields[user], 10, 64)
	s, errS := strconv.ParseUint(fields[system], 10, 64)
	return u + s, errors.Join(errU, errS)
}

// machineIn reads the first line of /proc/stat, the total of all processors.
func machineIn(stat string) (softirq, idle, all float64, err error) {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	const idleAt, waitingAt, softirqAt, last = 4, 5, 7, 8 // guest times follow, and are already included
	if len(fields) <= last || fields[0] != "cpu" {
		return 0, 0, 0, fmt.Errorf("read the processors' time in %q: too short", line)
	}
	var ticks [last + 1]uint64
	var sum uint64
	for i := 1; i <= last; i++ {
		if ticks[i], err = strconv.ParseUint(fields[i], 10, 64); err != nil {
			return 0, 0, 0, fmt.Errorf("read the processors' time in %q: %w", line, err)
		}
		sum += ticks[i]
	}
	return float64(ticks[softirqAt]) / ticksPerSecond, float64(ticks[idleAt]+ticks[waitingAt]) / ticksPerSecond, float64(sum) / ticksPerSecond, nil
}
