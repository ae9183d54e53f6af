// Package expositiontest checks pages as promtool check metrics does. It is not part of the agent.
package expositiontest

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
)

// Lint fails the test with everything that promtool would complain about.
func Lint(t testing.TB, page string) {
	t.Helper()
	problems, err := Problems(page)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, problems:\n%s\nof the page\n%s", err, strings.Join(problems, "\n"), page)
	}
}

// Problems returns what promtool would complain about. It also checks the names of metrics that
// have no samples yet, and that each metric is one group of lines.
func Problems(page string) ([]string, error) {
	found, err := promlint.New(strings.NewReader(page)).Lint()
	if err != nil {
		return nil, fmt.Errorf("parse the page: %w", err)
	}
	declared := declarations(page)
	more, err := promlint.NewWithMetricFamilies(declared).Lint()
	if err != nil {
		return nil, err
	}
	problems := scattered(page, declared)
	for _, problem := range append(found, more...) {
		problems = append(problems, problem.Metric+": "+problem.Text)
	}
	if len(declared) == 0 {
		problems = append(problems, "the page has no metrics")
	}
	slices.Sort(problems)
	return slices.Compact(problems), nil
}

// declarations are the metrics of the comments, which the parser drops if they have no samples.
func declarations(page string) (all []*dto.MetricFamily) {
	help := map[string]*string{}
	for line := range strings.Lines(page) {
		words := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 4)
		if len(words) < 4 || words[0] != "#" {
			continue
		}
		name, rest := words[2], words[3]
		switch words[1] {
		case "HELP":
			help[name] = &rest
		case "TYPE":
			kind := dto.MetricType(dto.MetricType_value[strings.ToUpper(rest)])
			all = append(all, &dto.MetricFamily{Name: &name, Help: help[name], Type: &kind})
		}
	}
	return all
}

// scattered lists samples outside of the group of their metric. Prometheus' own parser tolerates
// them, but the format forbids them.
func scattered(page string, declared []*dto.MetricFamily) (problems []string) {
	names := map[string]bool{}
	for _, family := range declared {
		names[family.GetName()] = true
	}
	current := ""
	lines := bufio.NewScanner(strings.NewReader(page))
	for lines.Scan() {
		line := lines.Text()
		if words := strings.Fields(line); len(words) > 2 && words[0] == "#" {
			current = words[2]
			continue
		}
		name := line[:max(0, strings.IndexAny(line, "{ "))]
		if name != current && !slices.Contains([]string{current + "_bucket", current + "_sum", current + "_count"}, name) {
			problems = append(problems, name+": a sample is outside of its group")
		}
	}
	return problems
}
