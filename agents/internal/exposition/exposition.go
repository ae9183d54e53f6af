package exposition

import (
	"bufio"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Kind is how a metric behaves over time.
type Kind string

// A counter only rises, and its name ends in _total.
const (
	Gauge   Kind = "gauge"
	Counter Kind = "counter"
)

// Family is one metric with all of its samples. A family without samples is listed with its help
// text.
type Family struct {
	Name, Help string
	Kind       Kind
	Samples    []Sample
}

// Sample is one value; its labels are what differs from the other samples of the family.
type Sample struct {
	Labels map[string]string
	Value  float64
}

// Page serves the families that read returns at each request.
func Page(read func() ([]Family, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		families, err := read()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = Write(w, families)
	})
}

// Write writes one group for each family. Of two samples with the same labels it writes the first,
// because Prometheus accepts only one.
func Write(w io.Writer, families []Family) error {
	out := bufio.NewWriter(w)
	for _, family := range families {
		out.WriteString("# HELP " + family.Name + " " + helpEscaper.Replace(family.Help) + "\n")
		out.WriteString("# TYPE " + family.Name + " " + string(family.Kind) + "\n")
		written := make(map[string]bool, len(family.Samples))
		for _, sample := range family.Samples {
			labels := formatLabels(sample.Labels)
			if written[labels] {
				continue
			}
			written[labels] = true
			out.WriteString(family.Name + labels + " " + strconv.FormatFloat(sample.Value, 'g', -1, 64) + "\n")
		}
	}
	return out.Flush()
}

var (
	helpEscaper  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
)

func formatLabels(labels map[string]string) string {
	if len(labels) == 0 {
		return ""
	}
	pairs := make([]string, 0, len(labels))
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		pairs = append(pairs, name+`="`+labelEscaper.Replace(labels[name])+`"`)
	}
	return "{" + strings.Join(pairs, ",") + "}"
}
