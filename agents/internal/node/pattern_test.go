package node

import (
	"encoding/json"
	"os"
	"testing"
)

func TestPatternsMatchAsInTheControlPlane(t *testing.T) {
	text, err := os.ReadFile("testdata/interface-patterns.json")
	if err != nil {
		t.Fatal(err)
	}
	var tests []struct {
		Pattern, Name string
		Matches       bool
	}
	if err := json.Unmarshal(text, &tests); err != nil || len(tests) == 0 {
		t.Fatal(len(tests), err)
	}
	for _, test := range tests {
		if got := (Sampling{Excluded: []string{"other", test.Pattern}}).Excludes(test.Name); got != test.Matches {
			t.Errorf("%q on %q: %v", test.Pattern, test.Name, got)
		}
	}
}
