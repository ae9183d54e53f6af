package controlplane

import (
	"context"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/timestamppb"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// hintPatience is how long a newer config may be in transit before the watch stream, although
// alive, is considered to have lost it.
const hintPatience = 10 * time.Second

// failuresMost is how often one report may fail inside the control plane, over about six minutes,
// before the report is considered the cause.
const failuresMost = 20

// deliver sends one report at a time, the oldest first. Waiting for each answer is the
// back-pressure: after an outage the control plane sets the pace.
func (s *Session) deliver(ctx context.Context) {
	var wait backoff
	var missing missingConfig
	var failures int // of the control plane, on the current report
	away := outage{log: s.options.Log, what: "reports can't be delivered and are kept"}
	for {
		report, err := s.outbox.next(ctx)
		if err != nil {
			return
		}
		answer, err := s.send(ctx, report)
		if err == nil {
			wait.reset()
			failures = 0
			away.over()
			s.outbox.answered()
			if missing.confirmed(answer.GetNewestRevision(), s.newest.Load(), time.Now()) {
				s.restartWatch()
			}
			if s.options.Answered != nil {
				s.options.Answered(report)
			}
			continue
		}
		if ctx.Err() != nil {
			return
		}
		if failedInside(err) {
			failures++
		}
		if malformed(err) || failures >= failuresMost {
			// It would be refused forever and block all later reports.
			if s.outbox.lighten() {
				failures = max(0, failures-1) // one more attempt, not all of them again
				s.options.Log.Error("the control plane rejects a report; sending it again without its series and facts", "sequence", report.GetSequence(), "err", err)
				continue
			}
			failures = 0
			s.options.Log.Error("the control plane rejects a report; it is dropped", "sequence", report.GetSequence(), "err", err)
			s.outbox.discard()
			continue
		}
		delay := wait.next()
		if refused(err) {
			delay = jittered(retryRefused)
		}
		away.failed(err)
		if !pause(ctx, delay) {
			return
		}
	}
}

func (s *Session) send(ctx context.Context, report *agentv1.ReportRequest) (*agentv1.ReportResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	report.SentAt = timestamppb.Now()
	answer, err := s.connection.Load().calls.Report(ctx, connect.NewRequest(report))
	if err != nil {
		return nil, err
	}
	return answer.Msg, nil
}

// missingConfig records since when answers hint at a config that this agent lacks.
type missingConfig struct {
	since time.Time
}

// confirmed reports whether the hint has lasted long enough to act on it.
func (m *missingConfig) confirmed(hinted, have uint64, now time.Time) bool {
	if hinted <= have {
		m.since = time.Time{}
		return false
	}
	if m.since.IsZero() {
		m.since = now
		return false
	}
	if now.Sub(m.since) < hintPatience {
		return false
	}
	m.since = time.Time{}
	return true
}
