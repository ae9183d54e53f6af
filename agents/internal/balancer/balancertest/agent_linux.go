package balancertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/delivery"
	"fairlead.dev/agents/internal/balancer/netwatch"
	"fairlead.dev/agents/internal/configfile"
	"fairlead.dev/agents/internal/flows"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/netspace"
)

// folderVariable makes a test binary run as an agent, with the config in that folder.
const folderVariable = "FAIRLEAD_TEST_AGENT"

// start starts this test binary again, as an agent inside the namespace. It returns what
// the agent prints: the time that the engine took from the first failed check until it had
// removed the backend, and its reports.
func start(t *testing.T, space *netspace.Space, role *agentv1.BalancerRole) *os.File {
	t.Helper()
	folder := filepath.Join(t.TempDir(), space.Name)
	config, err := protojson.Marshal(&agentv1.NodeConfig{Revision: 1, ReportIntervalMs: 1000, Balancer: role})
	if err == nil {
		err = os.Mkdir(folder, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "config.json"), config, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	var log bytes.Buffer
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$")
	command.Env = append(os.Environ(), folderVariable+"="+folder)
	command.Stdout, command.Stderr = theirs, &log
	if err := space.StartBound(command); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		_ = ours.Close()
		_ = os.RemoveAll(filepath.Join("/sys/fs/bpf/fairlead", space.Name))
		if t.Failed() {
			t.Logf("log of the agent:\n%s", log.String())
		}
	})
	return ours
}

// runAsAgent runs the whole role with one engine, until the process is killed.
func runAsAgent(t *testing.T, candidate datapath.Candidate, folder string) {
	goFirst(t)
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	var known atomic.Pointer[time.Time]
	prober := delivery.New(datapathtest.Interface, health.Prober{}.Probe)
	probe := func(ctx context.Context, target health.Target) error {
		err := prober.Probe(ctx, target)
		if now := time.Now(); err != nil {
			known.CompareAndSwap(nil, &now)
		}
		return err
	}
	open := candidate.Open
	candidate.Open = func(options datapath.Options) (datapath.Engine, error) {
		engine, err := open(options)
		if err != nil {
			return nil, err
		}
		return watch(engine, &known), nil
	}
	address := fmt.Sprintf("%s:7444", balancer.HostOf(datapathtest.Interface))
	driver := balancer.NewDriver(balancer.Options{
		Candidates: []datapath.Candidate{candidate}, StateFolder: folder, Log: log, Probe: probe, Watch: netwatch.Start,
		Engine: datapath.Options{Interface: datapathtest.Interface, Name: filepath.Base(folder)},
		Flows:  flows.Options{Listen: flows.At(address), Log: log},
	})
	link := printedLink{configfile.New(filepath.Join(folder, "config.json"), log)}
	if err := agent.Run(t.Context(), agent.Options{Link: link, StateFolder: folder, Log: log}, balancer.NewRole(driver)); err != nil {
		t.Fatal(err)
	}
}

// printedLink prints reports, one a line.
type printedLink struct{ agent.Link }

func (l printedLink) Report(report *agentv1.ReportRequest) {
	if line, err := protojson.Marshal(report); err == nil {
		fmt.Printf("%s\n", line)
	}
	l.Link.Report(report)
}

// goFirst gives every thread of this process the highest priority, so that other programs
// don't affect the measurement. A thread that is created later inherits the priority.
func goFirst(t *testing.T) {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err == nil {
			err = unix.Setpriority(unix.PRIO_PROCESS, id, -20)
		}
		// A thread may have ended since.
		if err != nil && !errors.Is(err, unix.ESRCH) {
			t.Fatal(err)
		}
	}
}

// watched is an engine that prints how long after a failed check it removed a backend.
type watched struct {
	datapath.Engine
	known *atomic.Pointer[time.Time]
}

// watch wraps an engine and keeps its optional interfaces.
func watch(engine datapath.Engine, known *atomic.Pointer[time.Time]) datapath.Engine {
	w := &watched{engine, known}
	switch engine := engine.(type) {
	case datapath.Holder:
		return struct {
			datapath.Holder
			*watched
		}{engine, w}
	case datapath.FlowKeeper:
		return struct {
			datapath.FlowKeeper
			*watched
		}{engine, w}
	}
	return w
}

// Set implements datapath.Engine.
func (w *watched) Set(ctx context.Context, services []datapath.Service) (datapath.Outcome, error) {
	outcome, err := w.Engine.Set(ctx, services)
	if known := w.known.Load(); err == nil && known != nil && isDown(services) {
		fmt.Println(time.Since(*known))
	}
	return outcome, err
}

func isDown(services []datapath.Service) bool {
	for _, service := range services {
		for _, backend := range service.Backends {
			if !backend.Up {
				return true
			}
		}
	}
	return false
}
