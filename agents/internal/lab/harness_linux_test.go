package lab_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

// program is the real one, built once: a lab runs it.
var program string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "fltest")
	if err == nil {
		err = os.Chmod(folder, 0o755) // an ordinary user runs it too
	}
	if err == nil {
		program = filepath.Join(folder, "fairlead-agent")
		build := exec.Command("go", "build", "-o", program, "../../cmd/fairlead-agent")
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
		build.Stdout, build.Stderr = os.Stdout, os.Stderr
		err = build.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build fairlead-agent:", err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// standIn is a balancer that always reports ready and itself replies on service addresses, for tests of the lab
// alone.
const standIn = `command: ["{program}", lab-app, serve, --name, "{name}", "--http={listen}", "--http=:80"]` + "\n"

// testLab is a lab under test.
type testLab struct {
	t          *testing.T
	name       string
	file       string
	root       string
	credential *syscall.Credential
}

// newTestLab writes a topology; %s in it is replaced by the name.
func newTestLab(t *testing.T, short, text string) *testLab {
	t.Helper()
	privileged.Need(t)
	folder, err := os.MkdirTemp("", "flt") // not TempDir: a socket path is limited to 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	l := &testLab{t: t, name: fmt.Sprintf("fl%s%d", short, os.Getpid()), file: filepath.Join(folder, "topology.yaml"), root: filepath.Join(folder, "run")}
	if err := os.WriteFile(l.file, []byte("name: "+l.name+"\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if out, err := l.try("down"); err != nil {
			t.Errorf("down: %v: %s", err, out)
		}
		l.mustBeRemoved()
	})
	return l
}

func (l *testLab) command(verb string, arguments ...string) *exec.Cmd {
	command := exec.Command(program, append([]string{"lab", verb, l.file, "--run", l.root}, arguments...)...)
	command.Dir = filepath.Dir(l.file)
	if l.credential != nil {
		command.SysProcAttr = &syscall.SysProcAttr{Credential: l.credential}
	}
	return command
}

func (l *testLab) try(verb string, arguments ...string) (string, error) {
	out, err := l.command(verb, arguments...).CombinedOutput()
	return string(out), err
}

func (l *testLab) must(verb string, arguments ...string) string {
	l.t.Helper()
	out, err := l.try(verb, arguments...)
	if err != nil {
		l.t.Fatalf("lab %s %v: %v: %s", verb, arguments, err, out)
	}
	return out
}

func (l *testLab) fault(change string) string {
	l.t.Helper()
	return l.must("fault", strings.Fields(change)...)
}

func (l *testLab) status() lab.Status {
	l.t.Helper()
	command := l.command("status", "--json")
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	var status lab.Status
	if err == nil {
		err = json.Unmarshal(out, &status)
	}
	if err != nil {
		l.t.Fatalf("lab status: %v: %s", err, problems.String())
	}
	return status
}

func (l *testLab) member(name string) lab.MemberStatus {
	l.t.Helper()
	for _, m := range l.status().Members {
		if m.Name == name {
			return m
		}
	}
	return lab.MemberStatus{}
}

// hops are the router's next hops for the first service prefix, by name.
func (l *testLab) hops(at string) string {
	l.t.Helper()
	status := l.status()
	names := map[string]string{}
	for _, m := range status.Members {
		for _, address := range m.Addresses {
			names[address] = m.Name
		}
	}
	for _, route := range status.Routes {
		if route.At == at {
			var hops []string
			for _, via := range route.Via {
				hops = append(hops, names[via])
			}
			return strings.Join(hops, " ")
		}
	}
	l.t.Fatalf("%s has no routes", at)
	return ""
}

func (l *testLab) waitForHops(at, want string) {
	l.t.Helper()
	got := ""
	l.waitFor("next hops "+want+" of "+at, func() bool { got = l.hops(at); return got == want })
}

// answered is the number of replies, and how many each backend sent.
func (l *testLab) answered() (total uint64, by map[string]uint64) {
	l.t.Helper()
	by = map[string]uint64{}
	for _, traffic := range l.status().Traffic {
		total += traffic.Requests
		for name, count := range traffic.Backends {
			by[name] += count
		}
	}
	return total, by
}

func (l *testLab) waitForAnswers(more uint64) {
	l.t.Helper()
	before, _ := l.answered()
	l.waitFor(fmt.Sprintf("%d more answers", more), func() bool { now, _ := l.answered(); return now >= before+more })
}

func (l *testLab) space(member string) *netspace.Space {
	l.t.Helper()
	space, err := netspace.Open(lab.SpaceName(l.name, member))
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = space.Close() })
	return space
}

func (l *testLab) waitFor(what string, condition func() bool) {
	l.t.Helper()
	ctx, stop := context.WithTimeout(l.t.Context(), 60*time.Second)
	defer stop()
	for !condition() {
		select {
		case <-ctx.Done():
			status := l.status()
			var table bytes.Buffer
			_ = status.Print(&table)
			l.t.Fatalf("no %s within 60 s:\n%s", what, table.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// mustBeRemoved fails if anything with the lab's name is left.
func (l *testLab) mustBeRemoved() {
	l.t.Helper()
	if names, err := netspace.Names(lab.SpaceName(l.name, "")); err != nil || len(names) > 0 {
		l.t.Errorf("namespaces %v are left, %v", names, err)
	}
	if _, err := os.Stat(filepath.Join(l.root, l.name)); err == nil {
		l.t.Errorf("its folder is left")
	}
	if cgroups := l.cgroups(); len(cgroups) > 0 {
		l.t.Errorf("cgroups %v are left", cgroups)
	}
	for _, pid := range l.processes() {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		l.t.Errorf("process %d is left: %s", pid, bytes.ReplaceAll(command, []byte{0}, []byte{' '}))
	}
}

// processes are those with the lab's folder in the command line, or running our program for it.
func (l *testLab) processes() []int {
	l.t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		l.t.Fatal(err)
	}
	var pids []int
	for _, path := range paths {
		command, err := os.ReadFile(path)
		var pid int
		if _, scanErr := fmt.Sscanf(path, "/proc/%d/cmdline", &pid); err != nil || scanErr != nil || pid == os.Getpid() {
			continue
		}
		if bytes.Contains(command, []byte(l.root)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// sleeper is a process outside the lab, with the lab's folder in its command line.
func (l *testLab) sleeper() *exec.Cmd {
	return exec.Command("sh", "-c", "sleep 1000; : "+l.root)
}
