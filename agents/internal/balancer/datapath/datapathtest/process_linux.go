package datapathtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
)

// optionsVariable makes a test binary run as an engine's process.
const optionsVariable = "FAIRLEAD_TEST_ENGINE"

// request and reply are sent over two pipes as JSON, one after the other.
type request struct {
	Do       string
	Services []datapath.Service `json:",omitempty"`
	Flows    []datapath.Flow    `json:",omitempty"`
	For      time.Duration      `json:",omitempty"`
	Key      datapath.Key
	Weights  map[string]uint32 `json:",omitempty"`
}

type reply struct {
	Outcome  datapath.Outcome
	Observed datapath.Observed
	Flows    []datapath.Flow
	Error    string
}

// Process is an engine in its own process.
type Process struct {
	Options  datapath.Options
	command  *exec.Cmd
	requests io.WriteCloser
	answers  *json.Decoder
	printed  bytes.Buffer
	ended    bool
}

// start starts this test binary again, as the engine of the test by that name.
func start(t *testing.T, test string, space *netspace.Space, options datapath.Options) *Process {
	t.Helper()
	encoded, err := json.Marshal(options)
	must(t, err)
	theirs, requests, err := os.Pipe()
	must(t, err)
	defer theirs.Close()
	answers, ours, err := os.Pipe()
	must(t, err)
	defer ours.Close()
	p := &Process{Options: options, requests: requests, answers: json.NewDecoder(answers)}
	// By /proc, because in a user namespace the binary's folder may not be accessible.
	p.command = exec.Command("/proc/self/exe", "-test.run=^"+strings.ReplaceAll(test, "/", "$/^")+"$", "-test.timeout=10m")
	p.command.Env = append(os.Environ(), optionsVariable+"="+string(encoded))
	p.command.ExtraFiles = []*os.File{theirs, ours}
	p.command.Stdout, p.command.Stderr = &p.printed, &p.printed
	must(t, space.Start(p.command))
	t.Cleanup(func() {
		p.Kill()
		_ = answers.Close()
		if t.Failed() {
			t.Logf("the engine's process printed:\n%s", p.printed.String())
		}
	})
	return p
}

// Serve does nothing but in the process of an engine that [Open] started: there it runs the candidate's engine until it is
// closed. So nothing expensive or with side effects may run before it in the test.
func Serve(t *testing.T, candidate datapath.Candidate) {
	if options, is := os.LookupEnv(optionsVariable); is {
		serve(t, Subject{Candidate: candidate}, options)
		os.Exit(0)
	}
}

// Open opens the engine that the same test serves, in a process whose threads are all in that namespace.
func Open(t *testing.T, space *netspace.Space, options datapath.Options) *Process {
	t.Helper()
	p := start(t, t.Name(), space, options)
	openBy(t, p)
	return p
}

// Set is the engine's, for services that it can carry: failures are an error.
func (p *Process) Set(services ...datapath.Service) (int, error) {
	return datapath.Whole(p.SetPartly(services...))
}

// SetPartly is the engine's Set.
func (p *Process) SetPartly(services ...datapath.Service) (datapath.Outcome, error) {
	answer, err := p.call(request{Do: "set", Services: services})
	return answer.Outcome, err
}

// Observe is the engine's.
func (p *Process) Observe() (datapath.Observed, error) {
	answer, err := p.call(request{Do: "observe"})
	return answer.Observed, err
}

// Remove is the engine's.
func (p *Process) Remove() error { return p.just("remove") }

// Close closes the engine and ends its process.
func (p *Process) Close() error {
	err := p.just("close")
	p.end()
	return err
}

// Kill ends the process at once, as kill -9 does.
func (p *Process) Kill() {
	_ = p.command.Process.Kill()
	p.end()
}

func (p *Process) end() {
	if !p.ended {
		p.ended = true
		_ = p.requests.Close()
		_ = p.command.Wait()
	}
}

func (p *Process) just(do string) error {
	_, err := p.call(request{Do: do})
	return err
}

func (p *Process) call(r request) (reply, error) {
	var answer reply
	if err := json.NewEncoder(p.requests).Encode(r); err != nil {
		return answer, fmt.Errorf("send %s to the engine's process: %w", r.Do, err)
	}
	if err := p.answers.Decode(&answer); err != nil {
		return answer, fmt.Errorf("the engine's process ended during %s: %w: %s", r.Do, err, p.printed.String())
	}
	if answer.Error != "" {
		return answer, errors.New(answer.Error)
	}
	return answer, nil
}

// serve is the engine's process: it handles requests until the pipe is closed.
func serve(t *testing.T, subject Subject, encoded string) {
	var options datapath.Options
	must(t, json.Unmarshal([]byte(encoded), &options))
	host := &host{subject: subject, options: options}
	requests, replies := json.NewDecoder(os.NewFile(3, "requests")), json.NewEncoder(os.NewFile(4, "replies"))
	for {
		var r request
		if err := requests.Decode(&r); err != nil {
			return
		}
		answer, err := host.do(r)
		if err != nil {
			answer.Error = err.Error()
		}
		must(t, replies.Encode(answer))
	}
}

type host struct {
	subject   Subject
	options   datapath.Options
	engine    datapath.Engine
	delivered chan []datapath.Flow // all flows that a FlowKeeper delivered so far
}

// listen collects misplaced flows as they are delivered, so that none is lost.
func (h *host) listen(flows <-chan datapath.Flow) {
	h.delivered = make(chan []datapath.Flow, 1)
	h.delivered <- nil
	go func() {
		for flow := range flows {
			h.delivered <- append(<-h.delivered, flow)
		}
	}()
}

func (h *host) do(r request) (answer reply, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	keeper, keeps := h.engine.(datapath.FlowKeeper)
	steerer, steers := h.engine.(datapath.Steerer)
	weigher, weighs := h.engine.(datapath.Weigher)
	switch {
	case r.Do == "preflight":
		err = h.subject.Candidate.Preflight(h.options)
	case r.Do == "open":
		h.engine, err = h.subject.Candidate.Open(h.options)
		if keeper, keeps := h.engine.(datapath.FlowKeeper); keeps && err == nil {
			h.listen(keeper.Misplaced())
		}
	case r.Do == "set":
		answer.Outcome, err = h.engine.Set(ctx, r.Services)
	case r.Do == "observe":
		answer.Observed, err = h.engine.Observe(ctx)
	case r.Do == "remove":
		err = h.engine.Remove()
	case r.Do == "close":
		err = h.engine.Close()
	case r.Do == "misplaced" && keeps:
		answer.Flows, err = keeper.MisplacedNow(ctx)
	case r.Do == "delivered" && keeps:
		answer.Flows = <-h.delivered
		h.delivered <- answer.Flows
	case r.Do == "learn" && keeps:
		_, err = keeper.Learn(r.Flows)
	case r.Do == "put" && steers:
		err = steerer.Steering().Put(r.Flows[0], time.Now().Add(r.For))
	case r.Do == "hold" && steers:
		err = steerer.Steering().Hold(r.Flows[0], time.Now().Add(r.For))
	case r.Do == "release" && steers:
		err = steerer.Steering().Release(r.Flows[0])
	case r.Do == "weigh" && weighs:
		err = weigher.Weigh(r.Key, r.Weights)
	default:
		err = fmt.Errorf("the engine doesn't support %s", r.Do)
	}
	return answer, err
}
