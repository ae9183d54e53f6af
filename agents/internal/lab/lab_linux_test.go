package lab_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/netspace"
)

func TestUpIsIdempotentAndDownLeavesNothing(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "up", standIn)
	l.must("up", "--detach")
	first := l.status()
	if out := l.must("up"); !strings.Contains(out, "is up already") {
		t.Fatalf("up again: %s", out)
	}
	l.must("up", "--detach")
	l.waitForAnswers(10)
	l.waitForHops("router", "lb-1 lb-2")
	if second := l.status(); second.Pid != first.Pid || len(second.Members) != 9 {
		t.Fatalf("up again made another: %+v", second)
	}
	for _, m := range l.status().Members {
		if m.Starts > 1 {
			t.Errorf("%s was started %d times", m.Name, m.Starts)
		}
	}
	if err := os.WriteFile(l.file, []byte("name: "+l.name+"\nnetwork: routed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := l.try("up"); err == nil || !strings.Contains(out, "is up with another topology: take it down first") {
		t.Fatalf("up with another topology: %v, %s", err, out)
	}
	l.must("down")
	l.mustBeRemoved()
	l.must("down")
	if out, err := l.try("status"); err == nil || !strings.Contains(out, "is not up: bring it up with") {
		t.Fatalf("status of none: %v, %s", err, out)
	}
}

func TestReflectorsAreOnTheRoutersNetwork(t *testing.T) {
	t.Parallel()
	for _, network := range []string{"flat", "routed"} {
		t.Run(network, func(t *testing.T) {
			l := newTestLab(t, "rr"+network[:1], "network: "+network+"\n"+standIn+`
reflectors:
  - {name: rr, count: 2, command: ["{program}", lab-app, serve, --name, "{name}", "--http={address}:179"]}
  - {name: spare, delay: 5ms}
`)
			l.must("up", "--detach")
			states := map[string]string{}
			for _, m := range l.status().Members {
				if m.Kind == "reflector" {
					states[m.Name] = m.State
				}
			}
			if want := map[string]string{"rr-1": "running", "rr-2": "running", "spare": "up"}; !maps.Equal(states, want) {
				t.Errorf("reflectors are %v, want %v", states, want)
			}
			for _, from := range []string{"router", "node-2", "lb-1"} {
				space := l.space(from)
				l.waitFor("connection from "+from, func() bool {
					conn, err := space.Dial(t.Context(), "tcp", net.JoinHostPort(l.member("rr-2").Addresses[0], "179"))
					return err == nil && conn.Close() == nil
				})
			}
			l.fault("kill rr-1")
			l.waitFor("rr-1 to run again", func() bool { m := l.member("rr-1"); return m.State == "running" && m.Starts == 2 })
		})
	}
}

func TestListsOfTheStatusAreNeverNull(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "null", "clients: []\n"+standIn)
	l.must("up", "--detach")
	out, err := l.command("status", "--json").Output()
	var status struct{ Members, Routes, Traffic json.RawMessage }
	if err := errors.Join(err, json.Unmarshal(out, &status)); err != nil {
		t.Fatal(err)
	}
	if string(status.Traffic) != "[]" || status.Routes[0] != '[' || status.Members[0] != '[' {
		t.Errorf("traffic %s, routes %s, members %s", status.Traffic, status.Routes, status.Members)
	}
}

func TestCtrlCLeavesNothing(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "int", standIn)
	command := l.command("up")
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(output).ReadString('\n'); err != nil || !strings.Contains(line, "is up; Ctrl-C takes it down") {
		t.Fatalf("%q, %v", line, err)
	}
	// Down also ends what users run inside.
	if err := l.space("web-1").Start(l.sleeper()); err != nil {
		t.Fatal(err)
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
	l.mustBeRemoved()
}

func TestAfterKillTheNextUpCleans(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "kill", standIn)
	l.must("up", "--detach")
	before := l.status()
	stray := l.sleeper()
	if err := l.space("web-2").Start(stray); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = stray.Wait(); close(ended) }()
	l.kill(before.Pid)
	for _, m := range before.Members {
		l.waitFor("end of "+m.Name, func() bool { return m.Pid == 0 || syscall.Kill(m.Pid, 0) == syscall.ESRCH })
	}
	l.must("up", "--detach")
	<-ended
	after := l.status()
	if after.Pid == before.Pid || len(after.Members) != len(before.Members) {
		t.Fatalf("after: %+v", after)
	}
	l.waitForAnswers(10)
	l.kill(after.Pid)
	l.must("down")
	l.mustBeRemoved()
}

func TestTwoLabsAtOnce(t *testing.T) {
	t.Parallel()
	a, b := newTestLab(t, "a", standIn), newTestLab(t, "ab", standIn)
	b.root = a.root // in the same folder
	a.must("up", "--detach")
	b.must("up", "--detach")
	a.waitForAnswers(10)
	b.waitForAnswers(10)
	// A name is unique on this host, whatever the folder.
	root := a.root
	a.root += "-other"
	for _, verb := range []string{"up", "down"} {
		if out, err := a.try(verb); err == nil || !strings.Contains(out, "is up with another --run folder") {
			t.Errorf("%s from another folder: %v, %s", verb, err, out)
		}
	}
	a.root = root
	a.waitForAnswers(10)
	a.must("down")
	if names, err := netspace.Names(lab.SpaceName(a.name, "")); err != nil || len(names) > 0 {
		t.Fatalf("%v are left, %v", names, err)
	}
	b.waitForAnswers(10)
	b.must("down")
}

func TestALabRunsWithoutRoot(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "user", standIn+`
nodes: [{name: node, count: 2, adaptive: true}]
clients: [{name: client, delay: 1ms, traffic: [{service: web}]}]
`)
	const nobody = 65534
	l.credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	if err := os.Mkdir(l.root, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{l.root, filepath.Dir(l.file)} {
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	l.must("up", "--detach")
	if status := l.status(); !status.Rootless {
		t.Fatalf("%+v", status)
	}
	l.waitForHops("router", "lb-1 lb-2")
	l.waitForAnswers(20)
	if out := l.must("status"); !strings.Contains(out, "without root: the engines nftables and userspace work here") {
		t.Fatalf("status: %s", out)
	}
	if out := l.must("status"); !strings.Contains(out, "node-1.adaptive is not started: their programs are eBPF, which only root may load") {
		t.Fatalf("status: %s", out)
	}
	if out := l.must("exec", "client", "ip", "-br", "-4", "address", "show", "eth0"); !strings.Contains(out, "198.18.1.2/24") {
		t.Fatalf("exec: %s", out)
	}
	l.fault("freeze lb-2")
	l.waitForHops("router", "lb-1")
	l.kill(l.status().Pid)
	l.waitFor("end of all its processes", func() bool { return len(l.processes()) == 0 })
	l.must("up", "--detach")
	l.waitForAnswers(5)
	l.must("down")
	l.mustBeRemoved()
}

func TestExecRunsInside(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "exec", standIn+"clients: []\n")
	l.must("up", "--detach")
	if out := l.must("exec", "web-1", "ip", "-br", "address", "show", "eth0"); !strings.Contains(out, "10.64.1.3/16") || !strings.Contains(out, "fd64:0:0:1::3/48") {
		t.Fatalf("exec: %s", out)
	}
	if out, err := l.try("exec", "web-9", "ip", "address"); err == nil || !strings.Contains(out, `there is no member "web-9"`) {
		t.Fatalf("exec nowhere: %v, %s", err, out)
	}
}

func TestWrongUsageIsReported(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "bad", standIn)
	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"fault"}, "set the change"},
		{[]string{"status", "more"}, `unexpected argument "more"`},
		{[]string{"up", "--colour"}, "flag provided but not defined"},
		{[]string{"up", "--control-plane", "http://x"}, `"http://x" is not an address of a control plane`},
		{[]string{"up", "--control-plane", "https://127.0.0.1:1"}, "set --state FOLDER"},
		{[]string{"exec", "web-1"}, "set the member and the command"},
	} {
		if out, err := l.try(test.arguments[0], test.arguments[1:]...); err == nil || !strings.Contains(out, test.want) {
			t.Errorf("%v: %v, %s", test.arguments, err, out)
		}
	}
}

// kill kills a lab with SIGKILL and waits until it has ended.
func (l *testLab) kill(pid int) {
	l.t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		l.t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || slices.Contains(strings.Fields(string(stat)), "Z") {
			return
		}
		if time.Now().After(deadline) {
			l.t.Fatalf("process %d doesn't end", pid)
		}
	}
}
