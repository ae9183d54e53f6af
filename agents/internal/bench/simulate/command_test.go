package simulate

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestCommandRejectsWrongArguments(t *testing.T) {
	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{nil, "one of connections, events, grid, paper"},
		{[]string{"tea"}, "one of connections, events, grid, paper"},
		{[]string{"events", "--seconds", "0"}, "--seconds"},
		{[]string{"events", "more"}, `unexpected argument "more"`},
	} {
		if err := Command(t.Context(), test.arguments, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.arguments, err, test.want)
		}
	}
}

func TestReportsAreTablesOrLines(t *testing.T) {
	lines, err := runAll(t.Context(), "paper: delay", []trial{
		{"3 ms", "random", paperPlan(3, []int{8, 8, 8, 8}, Options{Seed: 1, Seconds: 0.5})},
	})
	if err != nil {
		t.Fatal(err)
	}
	report := Report{lines, []Table{perCase("Requests", lines, []string{"random"}, throughput)}}
	var text, asJSON bytes.Buffer
	if err := report.printTables(&text); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "Requests\n\ncase  random\n3 ms  4") {
		t.Errorf("got %s", text.String())
	}
	if err := report.printJSON(&asJSON); err != nil {
		t.Fatal(err)
	}
	var line struct {
		Set, Case, Subject string
		RequestsPerSecond  float64
		Latency            struct{ P99Ms float64 }
	}
	if err := json.Unmarshal(asJSON.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	if line.Set != "paper: delay" || line.Subject != "random" || line.RequestsPerSecond < 4000 || line.Latency.P99Ms <= 0 {
		t.Errorf("got %s", asJSON.String())
	}
}
