// Package latency counts durations in HDR histograms, so that every benchmark reports the same quantiles with
// the same error.
package latency

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Values are exact to three digits, from a nanosecond to an hour.
const (
	longest = time.Hour
	digits  = 3
)

// Histogram counts durations. It is not safe for concurrent use.
type Histogram struct{ counts *hdrhistogram.Histogram }

// NewHistogram returns an empty histogram.
func NewHistogram() *Histogram {
	return &Histogram{hdrhistogram.New(1, int64(longest), digits)}
}

// Add counts one duration; one below zero counts as zero.
func (h *Histogram) Add(d time.Duration) {
	_ = h.counts.RecordValue(int64(min(max(d, 0), longest))) // fails only out of range
}

// Count is the number of durations.
func (h *Histogram) Count() int64 { return h.counts.TotalCount() }

// Quantile returns the duration that a share of all durations doesn't exceed; 0 without durations.
func (h *Histogram) Quantile(share float64) time.Duration {
	if h.Count() == 0 {
		return 0
	}
	return time.Duration(h.counts.ValueAtQuantile(100 * share))
}

// Max returns the longest duration; 0 without durations.
func (h *Histogram) Max() time.Duration { return time.Duration(h.counts.Max()) }

// Summary has the quantiles to report, in milliseconds.
type Summary struct {
	Count int64   `json:"count"`
	P50   float64 `json:"p50Ms"`
	P90   float64 `json:"p90Ms"`
	P99   float64 `json:"p99Ms"`
	P999  float64 `json:"p999Ms"`
	Max   float64 `json:"maxMs"`
}

// Summary summarizes the durations.
func (h *Histogram) Summary() Summary {
	return Summary{
		Count: h.Count(), P50: milliseconds(h.Quantile(0.5)), P90: milliseconds(h.Quantile(0.9)), P99: milliseconds(h.Quantile(0.99)),
		P999: milliseconds(h.Quantile(0.999)), Max: milliseconds(h.Max()),
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }
