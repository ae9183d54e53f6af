package node

import (
	"maps"
	"testing"
	"time"
)

const (
	some    = "some avg10=6.49 avg60=18.07 avg300=14.76 total="
	full    = "full avg10=0.15 avg60=0.14 avg300=0.30 total="
	noStall = some + "0\n" + full + "0\n"
)

func TestReadsTheTotalsOfPressure(t *testing.T) {
	for _, test := range []struct {
		name            string
		cpu, memory, io string
		want            Pressure
	}{
		{
			"Linux 6.18", some + "32788768145\n" + full + "0\n", some + "21856471\n" + full + "5735952\n", some + "585588095\n" + full + "257834048\n",
			Pressure{CPU: Stalls{Some: 32788768145}, Memory: Stalls{21856471, 5735952}, IO: Stalls{585588095, 257834048}},
		},
		{"before 5.13, without full for the CPU", some + "7\n", noStall, noStall, Pressure{CPU: Stalls{Some: 7}}},
		{"a line of a later kernel", "none total=x\n" + some + "7\n", noStall, noStall, Pressure{CPU: Stalls{Some: 7}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parsePressure([]byte(test.cpu), []byte(test.memory), []byte(test.io))
			if err != nil || *got != test.want {
				t.Fatalf("got %+v, %v", got, err)
			}
		})
	}
	for _, text := range []string{"", "some", "some avg10=0.00 total=many", full + "0\n"} {
		if got, err := parsePressure([]byte(noStall), []byte(text), []byte(noStall)); err == nil {
			t.Errorf("%q gave %+v and no error", text, got)
		}
	}
}

func TestPressureIsTheStalledShareOfTheInterval(t *testing.T) {
	before := Pressure{CPU: Stalls{Some: 1_000_000}, Memory: Stalls{2_000_000, 1_000_000}, IO: Stalls{500, 400}}
	for _, test := range []struct {
		name        string
		before, now *Pressure
		want        map[string]float64
	}{
		{
			"half of two seconds", &before, &Pressure{CPU: Stalls{Some: 2_000_000}, Memory: Stalls{2_500_000, 1_200_000}, IO: before.IO},
			map[string]float64{
				"cpuPressureRatio": 0.5, "memoryPressureRatio": 0.25, "memoryPressureFullRatio": 0.1,
				"ioPressureRatio": 0, "ioPressureFullRatio": 0,
			},
		},
		{
			"never more than all of the time, and zero after a reset", &before, &Pressure{CPU: Stalls{Some: 3_000_400}, IO: Stalls{5, 4}},
			map[string]float64{
				"cpuPressureRatio": 1, "memoryPressureRatio": 0, "memoryPressureFullRatio": 0,
				"ioPressureRatio": 0, "ioPressureFullRatio": 0,
			},
		},
		{"not measured before", nil, &before, map[string]float64{}},
		{"not measured", nil, nil, map[string]float64{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := map[string]float64{}
			now := &Counters{At: origin.Add(2 * time.Second), Pressure: test.now}
			for _, figure := range appendRates(nil, &Counters{At: origin, Pressure: test.before}, now, 10*time.Second) {
				got[figure.Metric] = figure.Value
			}
			if !maps.Equal(got, test.want) {
				t.Fatalf("got %v, want %v", got, test.want)
			}
		})
	}
}
