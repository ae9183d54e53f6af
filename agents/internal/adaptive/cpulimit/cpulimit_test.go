package cpulimit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// folderOf returns a folder with files.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	at := t.TempDir()
	for name, text := range files {
		path := filepath.Join(at, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return at
}

func TestUsage(t *testing.T) {
	const stat2 = "usage_usec 900\nuser_usec 800\nsystem_usec 100\nnr_periods 40\nnr_throttled 7\nthrottled_usec 1500\nnr_bursts 0\n"
	for _, test := range []struct {
		name  string
		files map[string]string
		in    string // folder of the cgroup
		set   string // folder of its cpuset
		want  Usage
	}{
		{"version 2 with a quota", map[string]string{"cpu.max": "150000 100000\n", "cpu.stat": stat2, "cpuset.cpus.effective": "0-3\n"}, "", "",
			Usage{Cores: 1.5, Processors: 4, Period: 100 * time.Millisecond, Periods: 40, Throttled: 7, Lost: 1500 * time.Microsecond}},
		{"version 2 without a quota", map[string]string{"cpu.max": "max 100000\n", "cpu.stat": "usage_usec 900\n", "cpuset.cpus.effective": "0-1,4\n"}, "", "",
			Usage{Cores: 3, Processors: 3}},
		{"version 2 without its controllers", map[string]string{"cpu.stat": "usage_usec 900\n"}, "", "", Usage{Cores: 8, Processors: 8}},
		{"a quota above", map[string]string{"cpu.max": "200000 100000", "pod/cpu.max": "50000 100000", "pod/one/cpu.max": "max 100000", "pod/one/cpu.stat": stat2}, "pod/one", "",
			Usage{Cores: 0.5, Processors: 8, Period: 100 * time.Millisecond, Periods: 40, Throttled: 7, Lost: 1500 * time.Microsecond}},
		{"more quota than CPUs", map[string]string{"cpu.max": "1600000 100000"}, "", "", Usage{Cores: 8, Processors: 8}},
		{"version 1 with a quota", map[string]string{"cpu/cpu.cfs_quota_us": "2500\n", "cpu/cpu.cfs_period_us": "5000\n", "cpu/cpu.stat": "nr_periods 40\nnr_throttled 7\nthrottled_time 1500\n", "set/cpuset.cpus": "0-1\n"}, "cpu", "set",
			Usage{Cores: 0.5, Processors: 2, Period: 5 * time.Millisecond, Periods: 40, Throttled: 7, Lost: 1500}},
		{"version 1 without a quota", map[string]string{"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n", "set/cpuset.cpus": "0-63\n"}, "cpu", "set",
			Usage{Cores: 64, Processors: 64}},
		{"version 1 with an inherited cpuset", map[string]string{"set/cpuset.cpus": "\n", "set/cpuset.effective_cpus": "2\n"}, "cpu", "set", Usage{Cores: 1, Processors: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			at := folderOf(t, test.files)
			online := filepath.Join(folderOf(t, map[string]string{"online": "0-7\n"}), "online")
			got, err := Cgroup{CPU: filepath.Join(at, test.in), CPUSet: filepath.Join(at, test.set), Root: at, Online: online}.Read()
			if err != nil || got != test.want {
				t.Errorf("got %+v (%v), want %+v", got, err, test.want)
			}
		})
	}
}

func TestInvalidFilesAreErrors(t *testing.T) {
	for _, test := range []struct {
		file, text, want string
	}{
		{"cpu.max", "100000", "isn't a quota and a period"},
		{"cpu.max", "0 100000", "a CPU quota of 0"},
		{"cpu.max", "much 100000", "CPU quota"},
		{"cpu.max", "100000 0", "in 0 µs"},
		{"cpu.stat", "nr_periods many", "cpu.stat"},
		{"cpu.stat", "throttled_usec -1", "cpu.stat"},
		{"cpuset.cpus", "3-1", "is no range"},
		{"cpuset.cpus", "0-", "is no range"},
		{"cpuset.cpus", "all", "list of CPUs"},
		{"online", "", "has no CPU"},
	} {
		t.Run(test.file+" "+test.text, func(t *testing.T) {
			files := map[string]string{"online": "0-7"}
			files[test.file] = test.text
			at := folderOf(t, files)
			_, err := Cgroup{CPU: at, CPUSet: at, Online: filepath.Join(at, "online")}.Read()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
