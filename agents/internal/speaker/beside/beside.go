// Package beside queries the balancer replica of a speaker. A replica that has only part of its
// config, as after its start, should not be advertised although a probe succeeds; and only the
// replica counts its connections.
package beside

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// freshFor is how long an answer is reused: all services share one replica.
const freshFor = 50 * time.Millisecond

// soon limits the time that the history of updates may take from decisions about routes, while a
// balancer is frozen.
const soon = 200 * time.Millisecond

// Header is sent with each request: a balancer that is stopping waits for a speaker that drains.
const (
	Header = "Fairlead-Speaker"
	Speaks = "speaks"
	Ends   = "ends"
)

// answerMost limits the size of an answer.
const answerMost = 16 << 20

// Balancer is the HTTP server of a balancer, at a URL such as http://127.0.0.1:9100.
type Balancer struct {
	url    string
	key    func() (string, error)
	client http.Client
	ends   atomic.Bool

	keysMutex sync.Mutex
	keys      []string // the current one and the one before

	addressesMutex  sync.Mutex
	addressesReadAt time.Time
	addresses       []netip.Addr
	refusal         error

	// Another mutex than that of addresses, which decide about routes: they must not wait for a
	// report of a balancer that doesn't answer.
	reportMutex sync.Mutex
	looked      time.Time
	newest      *agentv1.ReportRequest
	reportedAt  time.Time // when the balancer created the newest report, by its clock
	seen        time.Time // when the newest was last read
	created     time.Time // when the newest was created at the earliest, by our clock
}

// New returns a client that has sent no request yet. It reads the key for each request, because
// the key may be replaced. key is nil for a balancer in the same network namespace, which needs
// none.
func New(url string, key func() (string, error)) *Balancer {
	return &Balancer{url: strings.TrimSuffix(url, "/"), key: key, client: http.Client{Timeout: time.Second}}
}

// End marks all later requests: the speaker drains, and then stops.
func (b *Balancer) End() { b.ends.Store(true) }

// Carries returns why a router should not send traffic for this address here; nil if it should.
func (b *Balancer) Carries(ctx context.Context, address netip.Addr) error {
	b.addressesMutex.Lock()
	defer b.addressesMutex.Unlock()
	if time.Since(b.addressesReadAt) >= freshFor {
		b.addresses, b.refusal = b.readAddresses(ctx)
		b.addressesReadAt = time.Now()
	}
	if b.refusal != nil {
		return b.refusal
	}
	if !slices.Contains(b.addresses, address) {
		return errors.New("the balancer doesn't serve this address")
	}
	return nil
}

func (b *Balancer) readAddresses(ctx context.Context) (addresses []netip.Addr, err error) {
	body, status, err := b.get(ctx, "/addresses")
	if err != nil {
		return nil, err
	}
	if _, keyError := b.readKeys(); status == http.StatusUnauthorized && keyError != nil {
		return nil, fmt.Errorf("the balancer at %s rejects this speaker: %w", b.url, keyError)
	}
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return nil, fmt.Errorf("the balancer at %s rejects this speaker, because it is on another host and lacks the key: set the same --pages-key-file at both, or choose another --balancer", b.url)
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("the balancer isn't ready: %s", firstLine(body))
	}
	lines := bufio.NewScanner(strings.NewReader(string(body)))
	for lines.Scan() {
		address, err := netip.ParseAddr(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("unexpected line in the balancer's address page: %.40q", lines.Text())
		}
		addresses = append(addresses, address)
	}
	return addresses, lines.Err()
}

// Live returns the last count of open connections to a prefix, and when it was made at the
// earliest; the zero time if unknown.
func (b *Balancer) Live(prefix netip.Prefix) (connections int, at time.Time) {
	report, created := b.report(context.Background())
	status := report.GetBalancer()
	if status.GetLiveCountedAt() == nil {
		return 0, time.Time{}
	}
	for _, service := range status.GetServices() {
		if address, err := netip.ParseAddr(service.GetAddress()); err != nil || !prefix.Contains(address) {
			continue
		}
		if service.GetReady() && len(service.GetBackends()) == 0 { // it is carried as before its newest config
			return 0, time.Time{}
		}
		for _, backend := range service.GetBackends() {
			connections += int(backend.GetLiveConnections())
		}
	}
	if created.IsZero() {
		return connections, created
	}
	age := report.GetAt().AsTime().Sub(status.GetLiveCountedAt().AsTime())
	return connections, created.Add(-max(0, age))
}

// Ready returns since when a backend of a prefix is up, or all are down, by the balancer's health
// checks; the zero time if neither, or without checks.
func (b *Balancer) Ready(prefix netip.Prefix, is bool) (since time.Time) {
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	report, _ := b.report(ctx)
	for _, service := range report.GetBalancer().GetServices() {
		if address, err := netip.ParseAddr(service.GetAddress()); err != nil || !prefix.Contains(address) {
			continue
		}
		for _, backend := range service.GetBackends() {
			at, up := backend.GetSince().AsTime(), backend.GetHealth() == "up"
			switch {
			case backend.GetSince() == nil || up && !is:
				return time.Time{}
			case up != is:
				continue
			case since.IsZero() || at.Before(since) == is: // the first that is up, the last that went down
				since = at
			}
		}
	}
	return since
}

// InProcess reports whether a process accepts the connections, so that none pass the data path.
func (b *Balancer) InProcess(ctx context.Context) bool {
	report, _ := b.report(ctx)
	return report.GetBalancer().GetEngine() == "userspace"
}

// report returns nil if there is none. Its time is that of the previous report's last read: the
// balancer's own clock may have been changed since.
func (b *Balancer) report(ctx context.Context) (newest *agentv1.ReportRequest, created time.Time) {
	b.reportMutex.Lock()
	defer b.reportMutex.Unlock()
	if time.Since(b.looked) < freshFor {
		return b.newest, b.created
	}
	looked := time.Now()
	newest = b.readReport(ctx)
	if newest == nil && ctx.Err() != nil {
		return nil, time.Time{} // another caller may have more time
	}
	b.looked, b.newest = looked, newest
	if newest == nil {
		return nil, time.Time{}
	}
	if at := b.newest.GetAt().AsTime(); !at.Equal(b.reportedAt) {
		b.reportedAt, b.created = at, b.seen
	}
	b.seen = b.looked
	return b.newest, b.created
}

func (b *Balancer) readReport(ctx context.Context) *agentv1.ReportRequest {
	body, status, err := b.get(ctx, "/status")
	report := new(agentv1.ReportRequest)
	if err != nil || status != http.StatusOK || (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(body, report) != nil {
		return nil
	}
	return report
}

func (b *Balancer) get(ctx context.Context, path string) (body []byte, status int, err error) {
	keys, _ := b.readKeys()
	for _, key := range keys {
		if body, status, err = b.getWith(ctx, path, key); err != nil || status != http.StatusUnauthorized {
			return body, status, err
		}
	}
	if len(keys) == 0 {
		return b.getWith(ctx, path, "")
	}
	return body, status, err
}

// readKeys keeps the key before: until the balancer's own file is replaced too, it accepts only
// that one. The error is of reading the current one.
func (b *Balancer) readKeys() ([]string, error) {
	if b.key == nil {
		return nil, nil
	}
	b.keysMutex.Lock()
	defer b.keysMutex.Unlock()
	key, err := b.key()
	if err == nil && (len(b.keys) == 0 || key != b.keys[0]) {
		b.keys = append([]string{key}, b.keys[:min(1, len(b.keys))]...)
	}
	return b.keys, err
}

func (b *Balancer) getWith(ctx context.Context, path, key string) (body []byte, status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+path, nil)
	if err != nil {
		return nil, 0, err
	}
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	request.Header.Set(Header, Speaks)
	if b.ends.Load() {
		request.Header.Set(Header, Ends)
	}
	response, err := b.client.Do(request)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, 0, fmt.Errorf("the balancer did not answer in time at %s", b.url+path)
		}
		return nil, 0, fmt.Errorf("the balancer doesn't answer at %s: %w", b.url+path, errors.Unwrap(err))
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, answerMost))
	return body, response.StatusCode, err
}

func firstLine(body []byte) string {
	line, _, _ := strings.Cut(string(body), "\n")
	return strings.TrimSuffix(line, ".")
}
