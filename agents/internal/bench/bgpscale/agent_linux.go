package bgpscale

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/netspace"
)

// pages is the address of an agent's pages, in its own namespace.
const pages = "127.0.0.1:9100"

// agent is one of our processes, with its config.
type agent struct {
	role    string
	command *exec.Cmd
	printed bytes.Buffer
	client  *http.Client
}

func start(space *netspace.Space, program, folder, role string, config *agentv1.NodeConfig) (*agent, error) {
	config.Revision, config.Digest, config.ReportIntervalMs = 1, role, 1000
	text, err := protojson.Marshal(config)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, role+".json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	a := &agent{role: role, command: exec.Command(
		program, role, "--config", file, "--state", filepath.Join(folder, role), "--interface", link, "--metrics-listen", pages,
	)}
	a.command.Stdout, a.command.Stderr = &a.printed, &a.printed
	a.client = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		return space.Dial(ctx, network, address)
	}}}
	return a, space.StartBound(a.command)
}

func (a *agent) stop() error {
	if err := a.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	dead := time.AfterFunc(10*time.Second, func() { _ = a.command.Process.Kill() })
	defer dead.Stop()
	_ = a.command.Wait() // the reason is in its output
	a.client.CloseIdleConnections()
	return nil
}

// last is the end of its output, after it has ended.
func (a *agent) last() []byte {
	const most = 4096
	text := a.printed.Bytes()
	return text[max(0, len(text)-most):]
}

// query reads a page of routes, as an operator's query does.
func (a *agent) query(ctx context.Context, words url.Values) (*agentv1.RoutesAnswer, error) {
	answer := &agentv1.RoutesAnswer{}
	text, err := a.get(ctx, "/routes?"+words.Encode())
	if err != nil {
		return nil, err
	}
	return answer, protojson.Unmarshal(text, answer)
}

// status is its newest report, which may be missing at first.
func (a *agent) status(ctx context.Context) (*agentv1.BgpStatus, error) {
	text, err := a.get(ctx, "/status")
	if err != nil {
		return nil, err
	}
	report := &agentv1.ReportRequest{}
	if err := protojson.Unmarshal(text, report); err != nil {
		return nil, err
	}
	return report.GetBgp(), nil
}

func (a *agent) get(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+pages+path, nil)
	if err != nil {
		return nil, err
	}
	response, err := a.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %s: %s", a.role, response.Status, text)
	}
	return text, err
}

// memory is its current and its peak memory.
func (a *agent) memory() (now, most uint64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", a.command.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	for name, value := range map[string]*uint64{"VmRSS:": &now, "VmHWM:": &most} {
		_, rest, found := strings.Cut(string(text), name)
		if _, err := fmt.Sscan(rest, value); !found || err != nil {
			return 0, 0, fmt.Errorf("read the memory of the %s: no %s in its status", a.role, name)
		}
		*value <<= 10
	}
	return now, most, nil
}

// ticksPerSecond is the kernel's unit of CPU times, on every architecture (sysconf's _SC_CLK_TCK).
const ticksPerSecond = 100

// spent is the CPU time it has used so far.
func (a *agent) spent() (seconds float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", a.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // its name may contain anything
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("read what the %s took of processors: its status is %q", a.role, text)
	}
	for _, field := range fields[11:13] { // in user mode, and in the kernel
		ticks, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return 0, err
		}
		seconds += ticks / ticksPerSecond
	}
	return seconds, nil
}
