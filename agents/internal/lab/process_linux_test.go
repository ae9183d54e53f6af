package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

func TestAProcessWithoutARecordDoesNotRun(t *testing.T) {
	privileged.Need(t)
	space, err := netspace.New(fmt.Sprintf("flproc%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Delete() })
	folder, ended := t.TempDir(), make(chan *process, 1)
	p := &process{
		space: space, arguments: []string{"sleep", "600"}, restart: topology.Never,
		log: filepath.Join(folder, "log"), record: filepath.Join(folder, "process"),
		ended: func(p *process) { ended <- p },
	}
	runs := func(want int) {
		t.Helper()
		if pids, err := netspace.Processes(space.Name); err != nil || len(pids) != want {
			t.Fatalf("the processes %v run, want %d (%v)", pids, want, err)
		}
	}
	if err := os.Mkdir(p.record, 0o700); err != nil { // writing fails, as on a full disk
		t.Fatal(err)
	}
	for range 2 {
		if err := p.start(); err == nil {
			t.Fatal("a missing record is not reported")
		}
		runs(0)
	}
	if p.command != nil || p.starts != 0 {
		t.Errorf("it is taken for one that runs: %d starts", p.starts)
	}

	if err := os.Remove(p.record); err != nil {
		t.Fatal(err)
	}
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	runs(1)
	if err := p.kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	runs(0)
}
