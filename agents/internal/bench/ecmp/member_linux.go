package ecmp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// process is a program on a host; it keeps its output.
type process struct {
	host    *host
	command *exec.Cmd
	printed bytes.Buffer
	ended   sync.Once
}

func (h *host) run(program string, arguments ...string) (*process, error) {
	p := &process{host: h, command: exec.Command(program, arguments...)}
	p.command.Stdout, p.command.Stderr = &p.printed, &p.printed
	p.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C goes only to us; we end it
	return p, h.space.Start(p.command)
}

func (p *process) signal(signal syscall.Signal) error {
	if err := p.command.Process.Signal(signal); err != nil {
		return fmt.Errorf("send %s to %s: %w", signal, p.host.name, err)
	}
	return nil
}

func (p *process) end() {
	p.ended.Do(func() {
		_ = p.command.Process.Kill()
		_ = p.command.Wait()
	})
}

// member is a host that runs an agent in one role.
type member struct {
	*host
	role, pages string
	agent       string // the program
	folder      string
	more        []string
	process     *process
	client      http.Client
	outputs     []string // output of its earlier processes
}

// pages of a role, inside the host's own namespace.
var pagesOf = map[string]string{"balancer": "127.0.0.1:9100", "speaker": "127.0.0.1:9101", "reflector": "127.0.0.1:9101", "router": "127.0.0.1:9101"}

func newMember(h *host, agent, folder, role string, more ...string) (*member, error) {
	m := &member{host: h, role: role, pages: pagesOf[role], agent: agent, folder: filepath.Join(folder, h.name+"-"+role), more: more}
	m.client = http.Client{Timeout: time.Second, Transport: &http.Transport{DialContext: h.space.Dial}}
	return m, os.MkdirAll(m.folder, 0o700)
}

// configure replaces the whole config, and returns the time.
func (m *member) configure(config *agentv1.NodeConfig) (time.Time, error) {
	config.ReportIntervalMs = 1000
	data, err := protojson.Marshal(config)
	if err != nil {
		return time.Time{}, err
	}
	path := filepath.Join(m.folder, "config.json")
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return time.Time{}, err
	}
	now := time.Now()
	return now, os.Rename(path+".new", path)
}

func (m *member) start() (err error) {
	m.process, err = m.run(m.agent, append([]string{
		m.role, "--interface", uplink, "--config", filepath.Join(m.folder, "config.json"),
		"--state", filepath.Join(m.folder, "state"), "--node-name", m.space.Name, "--metrics-listen", m.pages,
	}, m.more...)...)
	return err
}

// end kills it.
func (m *member) end() {
	if m.process != nil {
		m.process.end()
		m.outputs, m.process = append(m.outputs, m.process.printed.String()), nil
	}
	m.client.CloseIdleConnections()
}

// report is its newest report.
func (m *member) report(ctx context.Context) (*agentv1.ReportRequest, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+m.pages+"/status", nil)
	if err != nil {
		return nil, err
	}
	response, err := m.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, errors.New(string(body))
	}
	report := new(agentv1.ReportRequest)
	return report, protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(body, report)
}

// lookEvery is the polling interval of pages; agents report at most once a second.
const lookEvery = 20 * time.Millisecond

// await polls reports until one matches.
func (m *member) await(ctx context.Context, what string, most time.Duration, is func(*agentv1.ReportRequest) bool) (*agentv1.ReportRequest, error) {
	ctx, stop := context.WithTimeout(ctx, most)
	defer stop()
	for {
		report, err := m.report(ctx)
		if err == nil && is(report) {
			return report, nil
		}
		if pause(ctx, lookEvery) != nil {
			return nil, fmt.Errorf("wait for %s of %s for %s: %w: it reports %v", what, m.name, most, errors.Join(err, ctx.Err()), report)
		}
	}
}

// pause waits unless the context ends before.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
