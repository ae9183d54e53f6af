// Package beside asks the balancer replica that a speaker speaks for. What it has carried
// only in part, as just after its start, should not be offered yet although a probe finds
// its way; and only it knows who is still connected.
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

// freshFor is how long an answer is good for all who ask: services share one replica.
const freshFor = 50 * time.Millisecond

// Header is on every question, with one of the words: a balancer whose process is asked to end
// outlasts a speaker that drains.
const (
	Header = "Fairlead-Speaker"
	Speaks = "speaks"
	Ends   = "ends"
)

// answerMost bounds what is read of a page.
const answerMost = 16 << 20

// Balancer is the pages of one, at a URL as http://127.0.0.1:9100.
type Balancer struct {
	url    string
	client http.Client
	ends   atomic.Bool

	mutex     sync.Mutex
	asked     time.Time
	addresses []netip.Addr
	refusal   error
	looked    time.Time
	newest    *agentv1.ReportRequest
	said      time.Time // by the balancer, of when it made the newest
	seen      time.Time // when the newest was there still
	counted   time.Time // when the newest was made at the earliest, by our own clock
}

// New returns one that was not asked yet.
func New(url string) *Balancer {
	return &Balancer{url: strings.TrimSuffix(url, "/"), client: http.Client{Timeout: time.Second}}
}

// End says with all questions from now on that the speaker drains, and then ends.
func (b *Balancer) End() { b.ends.Store(true) }

// Carries says why a router should not send this address here; nil if it should.
func (b *Balancer) Carries(ctx context.Context, address netip.Addr) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if time.Since(b.asked) >= freshFor {
		b.addresses, b.refusal = b.readAddresses(ctx)
		b.asked = time.Now()
	}
	if b.refusal != nil {
		return b.refusal
	}
	if !slices.Contains(b.addresses, address) {
		return errors.New("the balancer doesn't carry it")
	}
	return nil
}

func (b *Balancer) readAddresses(ctx context.Context) (addresses []netip.Addr, err error) {
	body, status, err := b.get(ctx, "/addresses")
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("the balancer isn't ready: %s", firstLine(body))
	}
	lines := bufio.NewScanner(strings.NewReader(string(body)))
	for lines.Scan() {
		address, err := netip.ParseAddr(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("the balancer's page of addresses says %.40q", lines.Text())
		}
		addresses = append(addresses, address)
	}
	return addresses, lines.Err()
}

// Live is how many connections to addresses of a prefix were open when the replica counted
// last, and when that was at the earliest; the zero time if it can't be known.
func (b *Balancer) Live(prefix netip.Prefix) (connections int, at time.Time) {
	report, counted := b.report()
	if report.GetBalancer() == nil {
		return 0, time.Time{}
	}
	for _, service := range report.GetBalancer().GetServices() {
		if address, err := netip.ParseAddr(service.GetAddress()); err != nil || !prefix.Contains(address) {
			continue
		}
		for _, backend := range service.GetBackends() {
			connections += int(backend.GetLiveConnections())
		}
	}
	return connections, counted
}

// Ready is since when a backend of a prefix is up, or all of them are down, as the balancer's
// health checks have it; the zero time if that isn't so, or nobody checks.
func (b *Balancer) Ready(prefix netip.Prefix, is bool) (since time.Time) {
	report, _ := b.report()
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
			case since.IsZero() || at.Before(since) == is: // the first that is up, the last that went
				since = at
			}
		}
	}
	return since
}

// InProcess says whether a process takes connections, so that none come by the data path.
func (b *Balancer) InProcess() bool {
	report, _ := b.report()
	return report.GetBalancer().GetEngine() == "userspace"
}

// report is nil when there is none. When it was made is known by its predecessor, which was there still: what it says
// itself is by a clock that may have been set since.
func (b *Balancer) report() (newest *agentv1.ReportRequest, counted time.Time) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if time.Since(b.looked) < freshFor {
		return b.newest, b.counted
	}
	b.looked = time.Now()
	if b.newest = b.readReport(); b.newest == nil {
		return nil, time.Time{}
	}
	if said := b.newest.GetAt().AsTime(); !said.Equal(b.said) {
		b.said, b.counted = said, b.seen
	}
	b.seen = b.looked
	return b.newest, b.counted
}

func (b *Balancer) readReport() *agentv1.ReportRequest {
	body, status, err := b.get(context.Background(), "/status")
	report := new(agentv1.ReportRequest)
	if err != nil || status != http.StatusOK || (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(body, report) != nil {
		return nil
	}
	return report
}

func (b *Balancer) get(ctx context.Context, path string) (body []byte, status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+path, nil)
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set(Header, Speaks)
	if b.ends.Load() {
		request.Header.Set(Header, Ends)
	}
	response, err := b.client.Do(request)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, 0, fmt.Errorf("the balancer doesn't answer in time at %s", b.url+path)
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
