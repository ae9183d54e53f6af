package bgptest

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
)

// variable makes the test binary run as an engine.
const variable = "FAIRLEAD_TEST_BGP"

// request and reply are exchanged over two pipes, one at a time. They use gob, since JSON would
// hide secrets.
type request struct {
	Do      string
	Desired bgp.Desired
	Query   bgp.Query
	Prefix  netip.Prefix
}

type reply struct {
	Changes  int
	Sessions []bgp.Session
	Page     bgp.Page
	Hops     []bgp.NextHop
	Took     bgp.Changes
	Holds    Held
	Error    string
}

// Process is an engine in its own process: engines in one process would share gobgp's global
// variables, and a process can be killed and frozen.
type Process struct {
	Host    *Host
	command *exec.Cmd
	output  bytes.Buffer

	mutex    sync.Mutex
	requests *gob.Encoder
	replies  *gob.Decoder
	closing  io.Closer
	ended    bool
}

// Main is TestMain for packages that start engines.
func Main(m *testing.M, open func() bgp.Engine) {
	if os.Getenv(variable) == "" {
		os.Exit(m.Run())
	}
	if err := serve(open()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Start runs this test binary again as an engine on a host.
func Start(t *testing.T, host *Host) *Process {
	t.Helper()
	theirs, requests, err := os.Pipe()
	must(t, err)
	defer theirs.Close()
	answers, ours, err := os.Pipe()
	must(t, err)
	defer ours.Close()
	p := &Process{Host: host, requests: gob.NewEncoder(requests), replies: gob.NewDecoder(answers), closing: requests}
	p.command = exec.Command("/proc/self/exe")
	p.command.Env = append(os.Environ(), variable+"=1")
	p.command.ExtraFiles = []*os.File{theirs, ours}
	p.command.Stdout, p.command.Stderr = &p.output, &p.output
	must(t, host.Space.Start(p.command))
	t.Cleanup(func() {
		p.Kill()
		_ = answers.Close()
		if t.Failed() {
			t.Logf("%s printed:\n%s", host.Name, p.output.String())
		}
	})
	return p
}

// Set calls the engine.
func (p *Process) Set(desired bgp.Desired) (int, error) {
	answer, err := p.call(request{Do: "set", Desired: desired})
	return answer.Changes, err
}

// Sessions calls the engine.
func (p *Process) Sessions() ([]bgp.Session, error) {
	answer, err := p.call(request{Do: "sessions"})
	return answer.Sessions, err
}

// Routes calls the engine.
func (p *Process) Routes(query bgp.Query) (bgp.Page, error) {
	answer, err := p.call(request{Do: "routes", Query: query})
	return answer.Page, err
}

// Hops calls the engine, and returns the addresses alone.
func (p *Process) Hops(prefix netip.Prefix) ([]netip.Addr, error) {
	hops, err := p.NextHops(prefix)
	return bgp.Addresses(hops), err
}

// NextHops calls the engine.
func (p *Process) NextHops(prefix netip.Prefix) ([]bgp.NextHop, error) {
	answer, err := p.call(request{Do: "hops", Prefix: prefix})
	return answer.Hops, err
}

// Take waits for a change for up to takeWithin, and returns it.
func (p *Process) Take() (bgp.Changes, error) {
	answer, err := p.call(request{Do: "take"})
	return answer.Took, err
}

// Held is the number of goroutines and open files of a process.
type Held struct{ Goroutines, Files int }

// Holds counts them.
func (p *Process) CountHeld() (Held, error) {
	answer, err := p.call(request{Do: "count"})
	return answer.Holds, err
}

// Close closes the engine and stops its process.
func (p *Process) Close() error {
	_, err := p.call(request{Do: "close"})
	p.Kill()
	return err
}

// Kill stops the process at once, as kill -9 does.
func (p *Process) Kill() {
	_ = p.command.Process.Kill()
	if !p.ended {
		p.ended = true
		_ = p.closing.Close()
		_ = p.command.Wait()
	}
}

// Signal sends a signal to the process, such as SIGSTOP.
func (p *Process) Signal(signal os.Signal) error { return p.command.Process.Signal(signal) }

func (p *Process) call(r request) (answer reply, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if err := p.requests.Encode(r); err != nil {
		return answer, fmt.Errorf("request %[2]q of %[1]s: %[3]w", p.Host.Name, r.Do, err)
	}
	if err := p.replies.Decode(&answer); err != nil {
		return answer, fmt.Errorf("%s stopped at request %q: %w: %s", p.Host.Name, r.Do, err, p.output.String())
	}
	if answer.Error != "" {
		return answer, errors.New(answer.Error)
	}
	return answer, nil
}

// serve is the main function of the engine's process. It returns when the requests end.
func serve(engine bgp.Engine) error {
	requests, replies := gob.NewDecoder(os.NewFile(3, "requests")), gob.NewEncoder(os.NewFile(4, "replies"))
	for {
		var r request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return engine.Close()
		} else if err != nil {
			return err
		}
		answer, err := do(engine, r)
		if err != nil {
			answer.Error = err.Error()
		}
		if err := replies.Encode(answer); err != nil {
			return err
		}
	}
}

// takeWithin is how long Take waits.
const takeWithin = 5 * time.Second

func do(engine bgp.Engine, r request) (answer reply, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	switch r.Do {
	case "set":
		answer.Changes, err = engine.Set(ctx, r.Desired)
	case "sessions":
		answer.Sessions, err = engine.Sessions(ctx)
	case "routes":
		answer.Page, err = engine.Routes(ctx, r.Query)
	case "hops":
		answer.Hops, err = engine.Hops(ctx, r.Prefix)
	case "take":
		select {
		case <-engine.Changed():
		case <-time.After(takeWithin):
		}
		answer.Took = engine.Take()
	case "count":
		var files []os.DirEntry
		files, err = os.ReadDir("/proc/self/fd")
		answer.Holds = Held{Goroutines: runtime.NumGoroutine(), Files: len(files)}
	case "close":
		err = engine.Close()
	default:
		err = fmt.Errorf("unknown request %q", r.Do)
	}
	return answer, err
}
