package load

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"fairlead.dev/agents/internal/bench/latency"
)

// print writes the report as tables.
func (r Report) print(out io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Rate: %g requests/s requested (%s), %.1f sent, %.1f answered, in %.1f s%s\n",
		r.Rate, r.Arrivals, r.SentPerSecond, r.AnsweredPerSecond, r.Seconds, interruption(r.Interrupted))
	fmt.Fprintf(&text, "Requests: %d due, %d answered, %d failed (%d of them timed out), %d not sent because no user was free; %d repeated after an idle close\n\n",
		r.Due, r.Answered, r.Failed, r.Unanswered, r.Unsent, r.Reopened)
	r.printTimes(&text)
	r.printSessions(&text)
	printCounts(&text, "Backend", "replies", r.Backends)
	printCounts(&text, "Failure", "requests", r.Failures)
	if r.FirstFailure != "" {
		fmt.Fprintf(&text, "First failure: %s\n", r.FirstFailure)
	}
	for _, reason := range r.VoidReasons {
		fmt.Fprintf(&text, "VOID: %s\n", reason)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func interruption(interrupted bool) string {
	if interrupted {
		return ", interrupted"
	}
	return ""
}

func (r Report) printTimes(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "milliseconds\tcount\tp50\tp90\tp99\tp99.9\tmax\t")
	for _, row := range []struct {
		name string
		of   latency.Summary
	}{
		{"latency, from when due", r.Latency},
		{"from send to reply", r.SendToReply},
		{"wait for a free user", r.Wait},
		{"lateness of the generator", r.Lateness},
		{"lateness of its timer", r.Pacing},
		{"full handshake", r.FullHandshake},
		{"resumed handshake", r.ResumedHandshake},
	} {
		if row.of.Count > 0 {
			fmt.Fprintf(table, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", row.name, row.of.Count, row.of.P50, row.of.P90, row.of.P99, row.of.P999, row.of.Max)
		}
	}
	_ = table.Flush() // to a string
	fmt.Fprintf(out, "Wait of the generator for a processor: p99 %.3f ms\n", r.SchedulingP99)
}

func (r Report) printSessions(out io.Writer) {
	s := r.Sessions
	fmt.Fprintf(out, "\nConnections: %d, of which %d of new users and %d returns\n", s.Connections, s.NewUsers, s.Returns)
	if s.Returns == 0 {
		return
	}
	switch {
	case s.Offered > 0:
		fmt.Fprintf(out, "Returns: %d offered a session, %d resumed it (%s)\n", s.Offered, s.Resumed, percent(s.Resumed, s.Offered))
	case r.FullHandshake.Count > 0:
		fmt.Fprintln(out, "Returns: none offered a session, because the server issued none of this kind (see --tls)")
	}
	if known := s.SameBackend + s.OtherBackend; known > 0 {
		fmt.Fprintf(out, "Returns: %d at the same backend (%s), %d at another", s.SameBackend, percent(s.SameBackend, known), s.OtherBackend)
	} else {
		fmt.Fprint(out, "Returns: no reply named its backend (see --backend)")
	}
	if s.UnknownBackend > 0 && s.UnknownBackend < s.Returns {
		fmt.Fprintf(out, ", %d unknown", s.UnknownBackend)
	}
	fmt.Fprintln(out)
}

// printCounts prints a table, largest first.
func printCounts(out io.Writer, what, unit string, counts map[string]uint64) {
	if len(counts) == 0 || len(counts) == 1 && counts[""] > 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s\t%s\n", what, unit)
	for _, name := range names {
		fmt.Fprintf(table, "%s\t%d\n", cmp.Or(name, "not named"), counts[name])
	}
	_ = table.Flush() // to a string
}

func percent(part, whole uint64) string {
	return fmt.Sprintf("%.2f %%", 100*float64(part)/float64(whole))
}
