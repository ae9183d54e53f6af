package controlplane

import (
	"context"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/timestamppb"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// hintPatience is how long a newer config may be on its way before we believe
// that the watch stream, though alive, has lost it.
const hintPatience = 10 * time.Second

// failuresMost is how often one report may make the control plane fail, about
// six minutes long, before the report rather than the control plane is to blame.
const failuresMost = 20

// deliver sends one report at a time, the oldest first. Waiting for each answer
// is the back-pressure: after an outage the control plane sets the pace.
func (s *Session) deliver(ctx context.Context) {
	var wait backoff
	var missing missingConfig
	var failures int // of the control plane, on the report at hand
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
			// It would be refused for ever and hold up all the others.
			if s.outbox.lighten() {
				failures = max(0, failures-1) // one more try, not all of them anew
				s.options.Log.Error("the control plane can't use a report; it goes again without its bulk", "sequence", report.GetSequence(), "err", err)
				continue
			}
			failures = 0
			s.options.Log.Error("the control plane can't use a report; it is dropped", "sequence", report.GetSequence(), "err", err)
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

// missingConfig remembers since when answers hint at a config we lack.
type missingConfig struct {
	since time.Time
}

// confirmed says that the hint has stood long enough to act on it.
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
