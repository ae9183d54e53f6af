package node

import (
	"reflect"
	"testing"
	"time"
)

func TestReadsWhatTheKernelWrites(t *testing.T) {
	cpu, err := parseStat([]byte("cpu  100 5 30 800 20 3 2 7 9 0\ncpu0 1 2 3 4\ncpu1 1 2 3 4\nbtime 1700000000\n"))
	if want := (CPUTimes{User: 105, System: 35, Idle: 800, Iowait: 20, Steal: 7}); err != nil || cpu != want {
		t.Errorf("cpu = %+v, %v", cpu, err)
	}
	memory, err := parseMeminfo([]byte("MemTotal:       2048 kB\nMemFree: 1 kB\nMemAvailable:   1024 kB\n"))
	if want := (Memory{Total: 2 << 20, Available: 1 << 20}); err != nil || memory != want {
		t.Errorf("memory = %+v, %v", memory, err)
	}
	load, err := parseLoadavg([]byte("0.50 1.25 2.00 1/234 5678\n"))
	if want := [3]float64{0.5, 1.25, 2}; err != nil || load != want {
		t.Errorf("load = %v, %v", load, err)
	}
	connections, err := parseConnections([]byte("1200\n"), []byte("262144\n"))
	if want := (Connections{Tracked: 1200, Limit: 262144}); err != nil || *connections != want {
		t.Errorf("connections = %+v, %v", connections, err)
	}
	resident, err := parseStatm([]byte("500 20 10 1 0 30 0\n"), 4096)
	if err != nil || resident != 20*4096 {
		t.Errorf("resident = %d, %v", resident, err)
	}
	stat := []byte("cpu  1 2 3 4\ncpu0 1 2\ncpu1 1 2\nbtime 1700000000\n")
	if parseCPUCount(stat) != 2 || !parseBootTime(stat).Equal(time.Unix(1700000000, 0)) {
		t.Errorf("cpus %d, boot %v", parseCPUCount(stat), parseBootTime(stat))
	}
	if got := parseOSRelease([]byte("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")); got != "Debian GNU/Linux 12 (bookworm)" {
		t.Errorf("os = %q", got)
	}
	if got := parseCPUModel([]byte("processor\t: 0\nmodel name\t: A Fine CPU\n")); got != "A Fine CPU" {
		t.Errorf("model = %q", got)
	}
}

const netDev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     100       1    0    0    0     0          0         0      100       1    0    0    0     0       0          0
  eth0:    2000      20    1    2    0     0          0         0     3000      30    3    4    0     0       0          0
broken:    x
`

func TestParseNetDevSkipsInvalidLines(t *testing.T) {
	got := parseNetDev([]byte(netDev), nil)
	want := []InterfaceCounters{
		{Name: "lo", Receive: Direction{100, 1, 0, 0}, Transmit: Direction{100, 1, 0, 0}},
		{Name: "eth0", Receive: Direction{2000, 20, 1, 2}, Transmit: Direction{3000, 30, 3, 4}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v", got)
	}
}

func TestInvalidTextIsAnError(t *testing.T) {
	for _, text := range []string{"", "cpu", "cpu a b c d", "MemTotal: many kB", "0.1 0.2"} {
		if _, err := parseStat([]byte(text)); err == nil {
			t.Errorf("parseStat(%q) gave no error", text)
		}
		if _, err := parseMeminfo([]byte(text)); err == nil {
			t.Errorf("parseMeminfo(%q) gave no error", text)
		}
		if _, err := parseLoadavg([]byte(text)); err == nil {
			t.Errorf("parseLoadavg(%q) gave no error", text)
		}
		if _, err := parseConnections([]byte(text), []byte("262144\n")); err == nil {
			t.Errorf("parseConnections(%q) gave no error", text)
		}
		if _, err := parseConnections([]byte("1200\n"), []byte(text)); err == nil {
			t.Errorf("parseConnections with the limit %q gave no error", text)
		}
	}
}
