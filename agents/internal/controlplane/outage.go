package controlplane

import (
	"log/slog"
	"time"
)

// outage reduces many failed attempts to two log lines: one at the start and one at the end.
type outage struct {
	log   *slog.Logger
	what  string // "the control plane can't be watched"
	since time.Time
}

func (o *outage) failed(err error) {
	attributes := []any{"err", err}
	if text := advice(err); text != "" {
		attributes = append(attributes, "advice", text)
	}
	if !o.since.IsZero() {
		o.log.Debug(o.what+" still", attributes...)
		return
	}
	o.since = time.Now()
	o.log.Warn(o.what+"; retrying", attributes...)
}

func (o *outage) over() {
	if o.since.IsZero() {
		return
	}
	o.log.Info(o.what+": over", "after", time.Since(o.since).Round(time.Millisecond))
	o.since = time.Time{}
}
