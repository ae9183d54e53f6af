package load

import (
	"fmt"
	"time"
)

// reasons returns why the figures of a run are void: the generator, and not the subject, delayed or lost
// requests.
func reasons(r Report, maxLateness time.Duration, localFaults uint64, localFault string) []string {
	list := []string{}
	if r.Due == 0 {
		return append(list, "no request was due in the measured time: raise --rate or --for, or lower --warmup")
	}
	limit := float64(maxLateness) / 1e6
	if late := max(r.Lateness.P99, r.Pacing.P99); late > limit {
		list = append(list, fmt.Sprintf(
			"the generator sent requests late (p99 %.3g ms, allowed are %.3g ms): lower --rate, raise --users if --think is set, or run the generator on a machine of its own",
			late, limit))
	}
	if r.SchedulingP99 > limit {
		list = append(list, fmt.Sprintf(
			"the generator waited for a processor (p99 %.3g ms, allowed are %.3g ms), so it read replies late: lower --rate, or run the generator on a machine of its own",
			r.SchedulingP99, limit))
	}
	if localFaults > 0 {
		list = append(list, fmt.Sprintf(
			"this machine could not open %d connections (%s): set more addresses with --source, raise --requests, or raise the limit of open files",
			localFaults, localFault))
	}
	return list
}
