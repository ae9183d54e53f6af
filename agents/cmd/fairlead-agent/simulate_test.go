package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

const onePlan = `{"plans": [{"seed": 1, "cores": [2], "backends": [1], "delay": [[1e-5]], "rates": [100], "serviceTime": 0.001, "work": "exponential",
"for": 5, "exchange": 0.05, "perConnection": 1}]}`

func TestSimulatePredictsThePlansOfItsInput(t *testing.T) {
	var out bytes.Buffer
	mine, err := runSimulate(t.Context(), []string{"simulate"}, strings.NewReader(onePlan), &out, unlimited)
	if !mine || err != nil || !strings.Contains(out.String(), `"localShare":1`) {
		t.Errorf("got %v, %v, %s", mine, err, out.String())
	}
	if mine, err := runSimulate(t.Context(), []string{"node"}, nil, nil, unlimited); mine || err != nil {
		t.Errorf("another command: %v, %v", mine, err)
	}
}

func TestSimulateRefusesWrongInput(t *testing.T) {
	for _, test := range []struct {
		arguments []string
		in, want  string
	}{
		{[]string{"simulate", "grid"}, onePlan, `unexpected argument "grid"`},
		{[]string{"simulate"}, "grid", "can't be read"},
	} {
		if _, err := runSimulate(t.Context(), test.arguments, strings.NewReader(test.in), &bytes.Buffer{}, unlimited); !errors.As(err, new(refusal)) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v", test.arguments, err)
		}
	}
}

func unlimited(uint64) error { return nil }
