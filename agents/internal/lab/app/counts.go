package app

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Counts of all traffic of one client.
type Counts struct {
	mutex  sync.Mutex
	meters map[string]*meter
}

// ServiceCounts is what a client measured of one service since it started.
type ServiceCounts struct {
	Requests       uint64            `json:"requests"`
	PerSecond      float64           `json:"perSecond"` // over the last whole second
	Connections    uint64            `json:"connections"`
	Open           int64             `json:"open"`
	Failed         uint64            `json:"failed"`            // connections that were never established
	Broken         uint64            `json:"broken"`            // connections that ended before the client ended them, or moved
	Returns        uint64            `json:"returns,omitempty"` // of TLS: connections after the first one of a simulated user
	Resumed        uint64            `json:"resumed,omitempty"` // of these, those that resumed its session
	Home           uint64            `json:"home,omitempty"`    // of these, those that reached the same server as the one before
	BrokenHow      map[How]uint64    `json:"brokenHow,omitempty"`
	Breaks         []Break           `json:"breaks,omitempty"` // the most recent
	LastError      string            `json:"lastError,omitempty"`
	Backends       map[string]uint64 `json:"backends"` // replies by backend
	LatencyMsP50   float64           `json:"latencyMsP50"`
	LatencyMsP99   float64           `json:"latencyMsP99"`
	latency        datapath.Histogram
	second         time.Time // start of the current second
	secondRequests uint64
}

type meter struct {
	mutex  sync.Mutex
	counts ServiceCounts
}

// NewCounts returns empty counts.
func NewCounts() *Counts { return &Counts{meters: map[string]*meter{}} }

// Read returns the counts by service.
func (c *Counts) Read() map[string]ServiceCounts {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	read := map[string]ServiceCounts{}
	for service, m := range c.meters {
		read[service] = m.read(time.Now())
	}
	return read
}

// ServeHTTP returns Read as JSON.
func (c *Counts) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(c.Read())
}

func (c *Counts) meter(service string) *meter {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	m, ok := c.meters[service]
	if !ok {
		m = &meter{counts: ServiceCounts{Backends: map[string]uint64{}, BrokenHow: map[How]uint64{}, second: time.Now()}}
		c.meters[service] = m
	}
	return m
}

func (m *meter) update(change func(*ServiceCounts)) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	change(&m.counts)
}

func (m *meter) opened() { m.update(func(c *ServiceCounts) { c.Connections++; c.Open++ }) }
func (m *meter) closed() { m.update(func(c *ServiceCounts) { c.Open-- }) }
func (m *meter) failed(err error) {
	m.update(func(c *ServiceCounts) { c.Failed++; c.LastError = err.Error() })
}
func (m *meter) broke(b Break) {
	m.update(func(c *ServiceCounts) {
		c.Broken++
		c.BrokenHow[b.How]++
		c.LastError = b.Error
		if c.Breaks = append(c.Breaks, b); len(c.Breaks) > mostBreaks {
			c.Breaks = slices.Delete(c.Breaks, 0, 1)
		}
	})
}

func (m *meter) returned(resumed, home bool) {
	m.update(func(c *ServiceCounts) {
		c.Returns++
		if resumed {
			c.Resumed++
		}
		if home {
			c.Home++
		}
	})
}

func (m *meter) answered(name string, took time.Duration) {
	now := time.Now()
	m.update(func(c *ServiceCounts) {
		c.turn(now)
		c.Requests++
		c.Backends[name]++
		c.latency.Add(uint64(took))
	})
}

// turn starts a new second when the current one is over.
func (c *ServiceCounts) turn(now time.Time) {
	if elapsed := now.Sub(c.second); elapsed >= time.Second {
		c.PerSecond = float64(c.Requests-c.secondRequests) / elapsed.Seconds()
		c.second, c.secondRequests = now, c.Requests
	}
}

func (m *meter) read(now time.Time) (read ServiceCounts) {
	m.update(func(c *ServiceCounts) {
		c.turn(now)
		read = *c
		read.Backends = maps.Clone(c.Backends)
		read.BrokenHow = maps.Clone(c.BrokenHow)
		read.Breaks = slices.Clone(c.Breaks)
	})
	read.LatencyMsP50 = read.latency.Quantile(0.5) / 1e6
	read.LatencyMsP99 = read.latency.Quantile(0.99) / 1e6
	return read
}
