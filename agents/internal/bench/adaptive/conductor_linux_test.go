package adaptive

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/privileged"
)

func listenForTest(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// echo is a part that replies with its orders, and fails those that are empty.
func echo(t *testing.T, listener net.Listener, part string) {
	t.Helper()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := json.NewEncoder(conn).Encode(part); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = obeyOver(conn, conn, func(text string) (any, error) {
			if text == "" {
				return nil, errors.New("an empty order")
			}
			return text, nil
		})
	}()
}

func TestAConductorGivesOrdersToThePartsThatConnect(t *testing.T) {
	listener := listenForTest(t)
	echo(t, listener, "b")
	echo(t, listener, "a")
	parts, closeAll, err := acceptParts(t.Context(), listener, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	for name, one := range parts {
		var reply string
		if err := one.order(name, &reply); err != nil || reply != name {
			t.Errorf("%s replied %q (%v)", name, reply, err)
		}
	}
	if err := parts["a"].order("", nil); err == nil || err.Error() != "a: an empty order" {
		t.Errorf("the failure of a part is %v", err)
	}
	if err := closeAll(); err != nil {
		t.Error(err)
	}
}

func TestAConductorNeedsAllPartsOnce(t *testing.T) {
	for name, test := range map[string]struct {
		connect []string
		want    string
	}{
		"a part is missing":     {[]string{"a"}, "1 of the parts"},
		"a part starts again":   {[]string{"a", "a"}, "a has started again"},
		"another part connects": {[]string{"a", "c"}, "b has not connected"},
	} {
		t.Run(name, func(t *testing.T) {
			listener := listenForTest(t)
			for _, part := range test.connect {
				echo(t, listener, part)
			}
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			defer stop()
			_, closeAll, err := acceptParts(ctx, listener, []string{"a", "b"})
			defer func() { _ = closeAll() }()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// Here, parts are processes of this machine, and servers have addresses of its loopback interface.
func TestPartsElsewhereServeTheRequestsOfATurn(t *testing.T) {
	privileged.Need(t)
	listener := listenForTest(t)
	conductor := listener.Addr().String()
	_ = listener.Close() // parts try again until the conductor listens here
	server := func(node int) netip.Addr { return netip.AddrFrom4([4]byte{127, 9, 0, byte(node + 1)}) }
	for node := range nodes {
		begin(t, conductor, ServerPart(node), ServerCommand, limitedOptions{Node: byte(node), At: []netip.Addr{server(node)}})
		begin(t, conductor, ClientsPart(node), ClientsCommand, clientsOptions{Entry: node})
	}
	begin(t, conductor, NeighbourPart, NeighbourCommand, limitedOptions{})
	options := PodOptions{
		Options:  Options{Rounds: 2, Warmup: 100 * time.Millisecond, For: 300 * time.Millisecond, Scenarios: []string{podScenarios[0].Name, "4:0:0:0"}},
		Listen:   conductor,
		Services: map[string]netip.AddrPort{Ours: netip.AddrPortFrom(server(0), serverPort), KubeProxy: netip.AddrPortFrom(server(1), serverPort)},
	}
	for node := range options.Pods {
		options.Pods[node] = accountedCgroup(t)
	}
	var turns []Turn
	// Parts obey the next conductor too.
	for range 2 {
		turns = nil
		if err := RunPods(t.Context(), options, func(line Line) { turns = append(turns, *line.Turn) }); err != nil {
			t.Fatal(err)
		}
	}
	if len(turns) != 2*2*len(podSubjects) {
		t.Fatalf("%d turns", len(turns))
	}
	for _, turn := range turns {
		at := slices.Index(podSubjects, turn.Subject) // the only server of that subject
		if turn.Requests == 0 || turn.Failed > 0 || turn.Served[0][at] == 0 || total(turn.Served[0]) != turn.Served[0][at] {
			t.Errorf("%s, %s: served at %v, %d failed: %s", turn.Scenario, turn.Subject, turn.Served, turn.Failed, turn.Because)
		}
		if isConcentrated := turn.Scenario == "4:0:0:0"; isConcentrated != (total(turn.Served[1]) == 0) {
			t.Errorf("%s, %s: node 2 sent %v", turn.Scenario, turn.Subject, turn.Served[1])
		}
		if len(turn.Workers) != nodes || turn.Workers[0] <= 0 {
			t.Errorf("%s, %s: CPU of workers is %v", turn.Scenario, turn.Subject, turn.Workers)
		}
	}
}

// begin starts a part as a pod does.
func begin(t *testing.T, conductor, part, command string, options any) {
	t.Helper()
	text, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	process := exec.Command("/proc/self/exe", command, string(text))
	process.Env = append(os.Environ(), ConductorVariable+"="+conductor, PartVariable+"="+part)
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
}

// accountedCgroup returns one that has CPU time.
func accountedCgroup(t *testing.T) string {
	t.Helper()
	for _, folder := range []string{"/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"} {
		if _, err := usedIn(folder); err == nil {
			return folder
		}
	}
	t.Fatal("no cgroup has CPU time")
	return ""
}

func TestTheCPUTimeOfACgroup(t *testing.T) {
	for name, test := range map[string]struct {
		file, text string
		want       time.Duration
		isError    bool
	}{
		"version 1":                {"cpuacct.usage", "1500000\n", 1500 * time.Microsecond, false},
		"version 2":                {"cpu.stat", "usage_usec 1500\nuser_usec 1000\n", 1500 * time.Microsecond, false},
		"without the CPU time":     {"cpu.stat", "nr_periods 0\n", 0, true},
		"without a number":         {"cpuacct.usage", "much", 0, true},
		"without any of the files": {"tasks", "", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, test.file), []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := usedIn(folder); got != test.want || (err != nil) != test.isError {
				t.Errorf("got %v (%v)", got, err)
			}
		})
	}
}
