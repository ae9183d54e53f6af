package controlplane

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"connectrpc.com/connect"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/gen/fairlead/agent/v1/agentv1connect"
)

const (
	// callTimeout limits every call with a single answer.
	callTimeout = time.Duration(agentv1.Limit_LIMIT_CALL_MS) * time.Millisecond
	// silenceMost is three missed keep-alives.
	silenceMost = 45 * time.Second
	// messageMostBytes limits one config.
	messageMostBytes = 16 << 20
)

// Options are the control plane to connect to, and the credentials.
type Options struct {
	URL         string // https://host:port
	Token       *Token // needed until the agent has an identity
	NodeName    string
	StateFolder string
	Info        *agentv1.AgentInfo
	Log         *slog.Logger

	Limits   OutboxLimits                 // zero: two hours of an ordinary host's reports
	Dial     DialFunc                     // nil: the real network
	Answered func(*agentv1.ReportRequest) // called after each answer; may be nil

	// Answer handles a query on its own goroutine; nil: the role supports none.
	Answer func(context.Context, *agentv1.Question) *agentv1.AnswerRequest
}

// Session is the agent's connection to its control plane. Run drives it; Configs and Report never
// wait for the network.
type Session struct {
	options Options
	configs chan *agentv1.NodeConfig
	outbox  *outbox
	newest  atomic.Uint64 // the last received revision

	questions chan *agentv1.Question

	connection atomic.Pointer[connection]
	endWatch   atomic.Pointer[context.CancelCauseFunc]
	warning    atomic.Pointer[string] // for operators; nil if there is none
}

// connection is an identity and the client that uses it.
type connection struct {
	identity  *Identity
	transport *http.Transport
	calls     agentv1connect.AgentServiceClient
}

// NewSession prepares a session. It connects only in [Session.Run].
func NewSession(options Options) *Session {
	if options.Limits == (OutboxLimits{}) {
		options.Limits = defaultLimits
	}
	return &Session{
		options: options,
		configs: make(chan *agentv1.NodeConfig, 1),
		outbox:  newOutbox(rand.Text(), options.Limits),

		questions: make(chan *agentv1.Question, questionsMost),
	}
}

// Configs yields complete configs, each newer than the previous one. A slow reader receives only
// the newest.
func (s *Session) Configs() <-chan *agentv1.NodeConfig { return s.configs }

// Report queues a report and returns at once. It splits a report that is too large for one call.
// The session numbers and owns it from here on.
func (s *Session) Report(report *agentv1.ReportRequest) {
	report.Info = s.options.Info
	if warning := s.warning.Load(); warning != nil {
		report.Warnings = append(report.Warnings, *warning)
	}
	for _, part := range split(report, protocolLimits) {
		s.outbox.put(part, time.Now())
	}
}

// Waiting is the number of reports without an answer.
func (s *Session) Waiting() int { return s.outbox.waiting() }

// Run enrols if needed, then watches, reports and renews until ctx ends. from is the revision that
// the agent already has. It returns an error only without an identity and any way to get one.
func (s *Session) Run(ctx context.Context, from uint64) error {
	// One less, so that the first stream sends the newest config even if the agent has it: then the
	// agent knows that it has missed nothing.
	s.newest.Store(max(from, 1) - 1)
	identity, err := s.enrolled(ctx)
	if err != nil {
		return err
	}
	s.use(identity)
	defer func() { s.connection.Load().transport.CloseIdleConnections() }()

	var loops sync.WaitGroup
	loops.Go(func() { s.watch(ctx) })
	loops.Go(func() { s.deliver(ctx) })
	loops.Go(func() { s.renew(ctx) })
	loops.Go(func() { s.answer(ctx) })
	loops.Wait()
	return nil
}

// use makes all later calls with this identity.
func (s *Session) use(identity *Identity) {
	transport := newTransport(s.options.Dial, trusting(identity))
	former := s.connection.Swap(&connection{
		identity:  identity,
		transport: transport,
		calls:     s.callsOver(transport),
	})
	if former == nil {
		return
	}
	s.restartWatch()
	former.transport.CloseIdleConnections()
}

func (s *Session) callsOver(transport *http.Transport) agentv1connect.AgentServiceClient {
	return agentv1connect.NewAgentServiceClient(
		&http.Client{Transport: transport}, s.options.URL, connect.WithReadMaxBytes(messageMostBytes),
	)
}

func (s *Session) warn(text string) { s.warning.Store(&text) }
