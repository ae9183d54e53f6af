package controlplanetest

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/gen/fairlead/agent/v1/agentv1connect"
)

// URL is the address of the control plane; all addresses lead to the same listener.
const URL = "https://fairlead.test:8443"

// ControlPlane answers agents and records their requests.
type ControlPlane struct {
	Network *Network

	t         testing.TB
	authority *authority
	presented tls.Certificate
	servers   []*http.Server

	mu              sync.Mutex
	tokens          map[string]bool // still unused
	config          *agentv1.NodeConfig
	changed         chan struct{} // closed at every change
	reports         []*agentv1.ReportRequest
	watches         []*agentv1.WatchRequest
	questions       []*agentv1.Question
	answers         []*agentv1.AnswerRequest
	enrolments      int
	renewals        int
	serials         []string
	certificateLife time.Duration
	refusal         error
	reportAnswer    func(*agentv1.ReportRequest) error
	opened          int // streams so far
	lost            int // streams up to this one receive no more configs
	muted           int // streams up to this one receive nothing more
	skew            Skew
}

// New starts a control plane that stops with the test.
func New(t testing.TB) *ControlPlane {
	t.Helper()
	c := &ControlPlane{
		Network: NewNetwork(), t: t, authority: newAuthority(t),
		tokens: map[string]bool{}, changed: make(chan struct{}), certificateLife: 90 * 24 * time.Hour,
	}
	c.presented = c.authority.server()
	c.Start()
	t.Cleanup(c.Stop)
	return c
}

// Start begins to answer, with the same CA as before.
func (c *ControlPlane) Start() { c.ServeOn(c.Network.Listen()) }

// ServeOn answers on any listener, a real one too.
func (c *ControlPlane) ServeOn(listener net.Listener) {
	roots := x509.NewCertPool()
	roots.AddCert(c.authority.certificate)
	mux := http.NewServeMux()
	mux.Handle(agentv1connect.NewAgentServiceHandler(service{c}))
	server := &http.Server{
		Handler: withClient(mux),
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{c.presented}, ClientAuth: tls.VerifyClientCertIfGiven, ClientCAs: roots,
		},
		ErrorLog: log.New(io.Discard, "", 0),
	}
	c.servers = append(c.servers, server)
	go server.ServeTLS(listener, "", "")
}

// Stop kills the server: connections end abruptly.
func (c *ControlPlane) Stop() {
	for _, server := range c.servers {
		_ = server.Close()
	}
	c.servers = nil
}

// NewToken returns a token for one enrolment.
func (c *ControlPlane) NewToken() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	token := c.authority.token("tok_1", rand.Text())
	c.tokens[token] = true
	return token
}

// SetConfig makes config the newest and sends it to all open streams.
func (c *ControlPlane) SetConfig(config *agentv1.NodeConfig) {
	c.change(func() { c.config = config })
}

// SetCertificateLife sets the lifetime of certificates signed from now on.
func (c *ControlPlane) SetCertificateLife(life time.Duration) {
	c.change(func() { c.certificateLife = life })
}

// Refuse returns err for every call, as for a revoked agent; nil ends it.
func (c *ControlPlane) Refuse(err error) { c.change(func() { c.refusal = err }) }

// AnswerReports sets the result of a report; nil stores them all.
func (c *ControlPlane) AnswerReports(answer func(*agentv1.ReportRequest) error) {
	c.change(func() { c.reportAnswer = answer })
}

// LoseConfigs makes the open streams miss every further config, as a notification lost inside a control plane
// would. Keep-alives continue.
func (c *ControlPlane) LoseConfigs() { c.change(func() { c.lost = c.opened }) }

// Mute keeps the open streams open and silent, like a control plane whose process hangs while its network
// stack works.
func (c *ControlPlane) Mute() { c.change(func() { c.muted = c.opened }) }

// Reports returns the stored reports in order of arrival.
func (c *ControlPlane) Reports() []*agentv1.ReportRequest {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*agentv1.ReportRequest(nil), c.reports...)
}

// Watches returns the requests of all streams ever opened.
func (c *ControlPlane) Watches() []*agentv1.WatchRequest {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*agentv1.WatchRequest(nil), c.watches...)
}

// Serials returns the distinct client certificates seen, in order.
func (c *ControlPlane) Serials() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.serials...)
}

// SendQuestion sends a query to all open streams.
func (c *ControlPlane) SendQuestion(question *agentv1.Question) {
	c.change(func() { c.questions = append(c.questions, question) })
}

// Answers returns all received answers.
func (c *ControlPlane) Answers() []*agentv1.AnswerRequest {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*agentv1.AnswerRequest(nil), c.answers...)
}

// Enrolments is the number of issued identities.
func (c *ControlPlane) Enrolments() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.enrolments
}

// Renewals is the number of renewed certificates.
func (c *ControlPlane) Renewals() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.renewals
}

func (c *ControlPlane) change(apply func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	apply()
	close(c.changed)
	c.changed = make(chan struct{})
}

type clientKey struct{}

// withClient passes the verified client certificate to the service.
func withClient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) > 0 {
			r = r.WithContext(context.WithValue(r.Context(), clientKey{}, r.TLS.PeerCertificates[0]))
		}
		next.ServeHTTP(w, r)
	})
}
