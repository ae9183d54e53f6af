package controlplane

import (
	"log/slog"
	"time"
)

// outage turns many failed tries into two log lines: one when it begins and
// one when it is over.
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
