package node

import (
	"maps"
	"strings"
	"testing"
	"time"
)

var origin = time.Unix(1_700_000_000, 0)

func eth0(bytes, packets uint64) []InterfaceCounters {
	return []InterfaceCounters{{Name: "eth0", Receive: Direction{Bytes: bytes, Packets: packets}}}
}

func TestTrackedConnectionsAreLeftOutWhereThereAreNone(t *testing.T) {
	for _, test := range []struct {
		name        string
		connections *Connections
		want        map[string]float64
	}{
		{"tracked", &Connections{Tracked: 1200, Limit: 262144}, map[string]float64{"trackedConnections": 1200, "trackedConnectionsLimit": 262144}},
		{"none at present", &Connections{Limit: 262144}, map[string]float64{"trackedConnections": 0, "trackedConnectionsLimit": 262144}},
		{"unlimited", &Connections{Tracked: 1200}, map[string]float64{"trackedConnections": 1200}},
		{"not tracked", nil, map[string]float64{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := map[string]float64{}
			for _, figure := range appendGauges(nil, &Counters{Connections: test.connections}, 1) {
				if strings.HasPrefix(figure.Metric, "tracked") {
					got[figure.Metric] = figure.Value
				}
			}
			if !maps.Equal(got, test.want) {
				t.Fatalf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestRatesComeFromTwoMoments(t *testing.T) {
	before := &Counters{At: origin, CPU: CPUTimes{User: 100, System: 100, Idle: 1000, Iowait: 10}, Interfaces: eth0(1000, 10)}
	for _, test := range []struct {
		name string
		now  Counters
		want map[string]float64
	}{
		{
			"an ordinary second",
			Counters{At: origin.Add(2 * time.Second), CPU: CPUTimes{User: 150, System: 120, Idle: 1120, Iowait: 20}, Interfaces: eth0(3000, 30)},
			map[string]float64{"cpuUtilizationRatio": 0.35, "cpuUserRatio": 0.25, "cpuIowaitRatio": 0.05, "interfaceReceiveBps": 8000, "interfaceReceivePps": 10},
		},
		{
			"decreasing iowait counts as zero",
			Counters{At: origin.Add(time.Second), CPU: CPUTimes{User: 150, System: 150, Idle: 1100, Iowait: 5}, Interfaces: eth0(1000, 10)},
			map[string]float64{"cpuUtilizationRatio": 0.5, "cpuIowaitRatio": 0, "interfaceReceiveBps": 0},
		},
		{
			"a recreated interface has no rate yet",
			Counters{At: origin.Add(time.Second), CPU: CPUTimes{User: 200, System: 100, Idle: 1000, Iowait: 10}, Interfaces: eth0(5000, 5)},
			map[string]float64{"cpuUtilizationRatio": 1},
		},
		{
			"a new interface has no rate yet",
			Counters{At: origin.Add(time.Second), CPU: CPUTimes{User: 200, System: 100, Idle: 1000, Iowait: 10}, Interfaces: []InterfaceCounters{{Name: "eth1"}}},
			map[string]float64{"cpuUtilizationRatio": 1},
		},
		{"no rates across a gap", Counters{At: origin.Add(time.Hour), CPU: CPUTimes{User: 9000}, Interfaces: eth0(9000, 90)}, nil},
		{"no rates when no time passed", Counters{At: origin, CPU: CPUTimes{User: 9000}, Interfaces: eth0(9000, 90)}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := map[string]float64{}
			for _, figure := range appendRates(nil, before, &test.now, 10*time.Second) {
				got[figure.Metric] = figure.Value
			}
			_, hasInterface := test.want["interfaceReceiveBps"]
			if _, has := got["interfaceReceiveBps"]; has != hasInterface || (test.want == nil) != (len(got) == 0) {
				t.Fatalf("got %v", got)
			}
			for metric, want := range test.want {
				if got[metric] != want {
					t.Errorf("%s = %v, want %v (all: %v)", metric, got[metric], want, maps.Clone(got))
				}
			}
		})
	}
}
