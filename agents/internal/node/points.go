package node

import (
	"sync"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// pointsMost limits a series between two reports: ten minutes at one point a second.
const pointsMost = 600

// points collects figures until a report takes them. The sampler writes while the loop and the
// metrics page read, so it has a lock.
type points struct {
	mu     sync.Mutex
	series []*agentv1.SeriesPoints
	index  map[seriesKey]int
	latest []Figure
}

type seriesKey struct{ metric, iface, node string }

// add appends one sample of everything.
func (p *points) add(figures []Figure, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest = append(p.latest[:0], figures...)
	for _, figure := range figures {
		series := p.of(figure)
		if len(series.AtMs) == pointsMost { // without reports, keep the newest points
			series.AtMs = append(series.AtMs[:0], series.AtMs[1:]...)
			series.Values = append(series.Values[:0], series.Values[1:]...)
		}
		series.AtMs = append(series.AtMs, at.UnixMilli())
		series.Values = append(series.Values, figure.Value)
	}
}

func (p *points) of(figure Figure) *agentv1.SeriesPoints {
	key := seriesKey{figure.Metric, figure.Interface, figure.Node}
	if at, found := p.index[key]; found {
		return p.series[at]
	}
	series := &agentv1.SeriesPoints{Metric: figure.Metric, Labels: figure.labels()}
	if p.index == nil {
		p.index = map[seriesKey]int{}
	}
	p.index[key] = len(p.series)
	p.series = append(p.series, series)
	return series
}

// take returns the collected points and starts again, so that series of removed interfaces are
// dropped too.
func (p *points) take() []*agentv1.SeriesPoints {
	p.mu.Lock()
	defer p.mu.Unlock()
	taken := p.series
	p.series, p.index = nil, nil
	return taken
}

// snapshot copies the figures of the last sample.
func (p *points) snapshot() []Figure {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Figure(nil), p.latest...)
}

// clear drops all points when the role is switched off.
func (p *points) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.series, p.index, p.latest = nil, nil, nil
}
