package node

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/agent/agenttest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/node/echo"
)

// steadySource is a host that does the same every second.
type steadySource struct {
	mu          sync.Mutex
	err         error
	connections *Connections
	stalls      bool // a tenth of the time, for the CPU
}

func (s *steadySource) pressure(seconds uint64) *Pressure {
	if !s.stalls {
		return nil
	}
	return &Pressure{CPU: Stalls{Some: seconds * 100_000}}
}

func (s *steadySource) Read(counters *Counters) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	now := time.Now()
	seconds := uint64(now.Unix())
	*counters = Counters{
		At: now, Connections: s.connections, Pressure: s.pressure(seconds), CPU: CPUTimes{User: seconds * 50, Idle: seconds * 150},
		Memory: Memory{Total: 1000, Available: 400}, Load: [3]float64{1, 2, 3}, AgentMemoryBytes: 7,
		Interfaces: []InterfaceCounters{
			{Name: "eth0", Receive: Direction{Bytes: seconds * 1000}},
			{Name: "veth12", Receive: Direction{Bytes: seconds * 1000}},
		},
	}
	return nil
}

func (s *steadySource) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

type fixedFacts struct{}

func (fixedFacts) Gather(func(string) bool) (*agentv1.NodeFacts, error) {
	return &agentv1.NodeFacts{Hostname: "node-a"}, nil
}

func seriesOf(report *agentv1.ReportRequest, metric string) *agentv1.SeriesPoints {
	for _, series := range report.GetSeries() {
		if series.GetMetric() == metric {
			return series
		}
	}
	return nil
}

func mustSet(t *testing.T, driver *Driver, sampling Sampling) {
	t.Helper()
	if _, err := driver.Set(t.Context(), sampling); err != nil {
		t.Fatal(err)
	}
}

func fill(t *testing.T, driver *Driver) *agentv1.ReportRequest {
	t.Helper()
	observed, err := driver.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	report := &agentv1.ReportRequest{}
	NewRole(driver).Fill(observed, report)
	return report
}

func TestTheDriverKeepsItsContract(t *testing.T) {
	agenttest.Contract(t, func(*testing.T) agenttest.Case[Sampling, Observed] {
		driver := NewDriver(&steadySource{}, fixedFacts{}, nil)
		return agenttest.Case[Sampling, Observed]{
			Driver: driver,
			First:  Sampling{On: true, Every: time.Second},
			Second: Sampling{On: true, Every: time.Minute, Excluded: []string{"veth*"}},
			Shows:  func(o Observed, s Sampling) bool { return o.Sampling.Equal(s) && o.Facts != nil },
			Damage: func() { driver.sampler.stop() },
		}
	})
}

func TestSamplesAtTheIntervalAndReportsEveryPointOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		driver := NewDriver(&steadySource{}, fixedFacts{}, nil)
		defer driver.Close()
		mustSet(t, driver, Sampling{On: true, Every: time.Second, Excluded: []string{"veth*"}})
		time.Sleep(10*time.Second + time.Millisecond)

		report := fill(t, driver)
		load, cpu, received := seriesOf(report, "load1"), seriesOf(report, "cpuUtilizationRatio"), seriesOf(report, "interfaceReceiveBps")
		if len(load.GetAtMs()) != 11 || len(load.GetValues()) != 11 || len(cpu.GetAtMs()) != 10 {
			t.Fatalf("load %v, cpu %v", load, cpu)
		}
		if cpu.GetValues()[3] != 0.25 || received.GetValues()[3] != 8000 || received.GetLabels()["interface"] != "eth0" {
			t.Fatalf("cpu %v, received %v", cpu, received)
		}
		for _, series := range report.GetSeries() {
			if series.GetLabels()["interface"] == "veth12" {
				t.Fatal("an excluded interface is reported")
			}
		}
		if again := fill(t, driver); len(again.GetSeries()) != 0 {
			t.Fatalf("points were reported twice: %v", again)
		}
	})
}

// Peers change whenever a node joins the cluster.
func TestAChangeOfPeersLeavesNoGapInRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		driver := NewDriver(&steadySource{}, fixedFacts{}, nil)
		defer driver.Close()
		sampling := Sampling{On: true, Every: time.Second, Echo: echo.Spec{Self: "agt_1"}}
		mustSet(t, driver, sampling)
		time.Sleep(5*time.Second + time.Millisecond)
		sampling.Echo.Peers = []echo.Peer{{Agent: "agt_2", Node: "nod_2"}}
		mustSet(t, driver, sampling)
		if observed, err := driver.Observe(t.Context()); err != nil || !observed.Sampling.Equal(sampling) {
			t.Fatalf("got %+v, %v", observed, err)
		}
		time.Sleep(5 * time.Second)
		if cpu := seriesOf(fill(t, driver), "cpuUtilizationRatio"); len(cpu.GetAtMs()) != 10 {
			t.Fatalf("cpu %v", cpu)
		}
	})
}

func TestUnreportedPointsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		driver := NewDriver(&steadySource{}, fixedFacts{}, nil)
		defer driver.Close()
		mustSet(t, driver, Sampling{On: true, Every: time.Second})
		time.Sleep(time.Hour)
		load := seriesOf(fill(t, driver), "load1")
		if len(load.GetAtMs()) != pointsMost || time.Now().UnixMilli()-load.GetAtMs()[pointsMost-1] > 1000 {
			t.Fatalf("%d points, the last at %d", len(load.GetAtMs()), load.GetAtMs()[len(load.GetAtMs())-1])
		}
	})
}

func TestSamplingErrorsAreReportedAndRecovered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &steadySource{}
		driver := NewDriver(source, fixedFacts{}, nil)
		defer driver.Close()
		mustSet(t, driver, Sampling{On: true, Every: time.Second})
		source.fail(errors.New("open /proc/stat: too many open files"))
		time.Sleep(10 * time.Second)
		if warnings := fill(t, driver).GetWarnings(); len(warnings) != 1 || !strings.Contains(warnings[0], "too many open files") {
			t.Fatalf("warnings %q", warnings)
		}
		source.fail(nil)
		time.Sleep(10 * time.Second)
		report := fill(t, driver)
		if len(report.GetWarnings()) != 0 || seriesOf(report, "cpuUtilizationRatio") == nil {
			t.Fatalf("report %v", report)
		}
	})
}

func TestARefusedPortForRoundTripsIsAWarning(t *testing.T) {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	at := conn.LocalAddr().(*net.UDPAddr).AddrPort()
	listen := func(context.Context) (netip.AddrPort, error) { return at, nil }
	driver := NewDriver(&steadySource{}, fixedFacts{}, echo.NewMeter(echo.Options{Listen: listen, Log: slog.New(slog.DiscardHandler)}))
	defer driver.Close()
	mustSet(t, driver, Sampling{On: true, Every: time.Second, Echo: echo.Spec{Self: "agt_1"}})
	deadline := time.Now().Add(10 * time.Second)
	var report *agentv1.ReportRequest
	for report = fill(t, driver); len(report.GetWarnings()) == 0 && time.Now().Before(deadline); report = fill(t, driver) {
		time.Sleep(5 * time.Millisecond)
	}
	if warnings := report.GetWarnings(); len(warnings) != 1 || !strings.Contains(warnings[0], at.String()) || !strings.Contains(warnings[0], "--echo-listen") {
		t.Fatalf("warnings %q", warnings)
	}
	if report.Facts == nil || report.Node.GetEchoAddress() != "" {
		t.Errorf("report %v", report)
	}
}

func TestTheRoleSwitchedOffReportsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		driver := NewDriver(&steadySource{}, fixedFacts{}, nil)
		defer driver.Close()
		mustSet(t, driver, Sampling{On: true, Every: time.Second})
		time.Sleep(10 * time.Second)
		mustSet(t, driver, Sampling{})
		if report := fill(t, driver); report.Facts != nil || report.Node != nil || len(report.GetSeries()) != 0 {
			t.Fatalf("report %v", report)
		}
	})
}

func TestSamplingIsCheckedBeforeItReachesTheHost(t *testing.T) {
	for _, test := range []struct {
		name string
		role *agentv1.NodeRole
		want Sampling
		err  string
	}{
		{"off", nil, Sampling{}, ""},
		{"default", &agentv1.NodeRole{}, Sampling{On: true, Every: 5 * time.Second}, ""},
		{"too often", &agentv1.NodeRole{SampleIntervalMs: 1}, Sampling{On: true, Every: 100 * time.Millisecond}, ""},
		{"too seldom", &agentv1.NodeRole{SampleIntervalMs: 1e9}, Sampling{On: true, Every: 5 * time.Minute}, ""},
		{
			"round trips",
			&agentv1.NodeRole{Echo: &agentv1.EchoRole{AgentId: "agt_1", Peers: []*agentv1.EchoPeer{{AgentId: "agt_2", NodeId: "nod_2", Address: "10.0.0.2:7445"}}}},
			Sampling{On: true, Every: 5 * time.Second, Echo: echo.Spec{
				Self: "agt_1", Peers: []echo.Peer{{Agent: "agt_2", Node: "nod_2", Address: netip.MustParseAddrPort("10.0.0.2:7445")}},
			}}, "",
		},
		{
			"a peer without an address", &agentv1.NodeRole{Echo: &agentv1.EchoRole{Peers: []*agentv1.EchoPeer{{AgentId: "agt_2", Address: "peer"}}}},
			Sampling{}, `peer agt_2: "peer" is not an address with a port`,
		},
		{
			"too many peers", &agentv1.NodeRole{Echo: &agentv1.EchoRole{Peers: make([]*agentv1.EchoPeer, 33)}},
			Sampling{}, "33 peers to measure round trips to are too many; give at most 32",
		},
		{"a pattern from an earlier version", &agentv1.NodeRole{ExcludedInterfaces: []string{"veth["}}, Sampling{On: true, Every: 5 * time.Second, Excluded: []string{"veth["}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseSampling(&agentv1.NodeConfig{Node: test.role})
			if (err == nil) != (test.err == "") || (err != nil && err.Error() != test.err) || !got.Equal(test.want) {
				t.Fatalf("got %+v, %v", got, err)
			}
		})
	}
}
