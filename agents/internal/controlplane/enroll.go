package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"connectrpc.com/connect"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// ErrNoToken means that the agent has neither an identity nor a token.
var ErrNoToken = errors.New("this agent is not enrolled and has no token: create one in the dashboard under Nodes and pass it in FAIRLEAD_TOKEN or with --token-file")

// ErrEnrolment marks answers that a retry would not change.
var ErrEnrolment = errors.New("the control plane refused the enrolment")

// enrolled returns the stored identity, or uses the token to enrol. With an old identity, it
// retries after a refusal instead of returning it: the host may be serving from its last good
// config.
func (s *Session) enrolled(ctx context.Context) (*Identity, error) {
	identity, err := LoadIdentity(s.options.StateFolder)
	switch {
	case err == nil && !identity.ExpiredAt(time.Now()):
		if s.options.Token == nil || s.options.Token.names(identity.Authority) {
			return identity, nil
		}
		return s.moved(ctx, identity)
	case err == nil && s.options.Token == nil:
		s.options.Log.Error("this agent's certificate expired, so the control plane will refuse it; the host stays as it is: start the agent with a new token",
			"expiredAt", identity.Certificate.NotAfter)
		return identity, nil
	case err != nil && !errors.Is(err, os.ErrNotExist) && s.options.Token == nil:
		return nil, err
	case err != nil && !errors.Is(err, os.ErrNotExist):
		s.options.Log.Warn("enrolling again", "err", err)
	case s.options.Token == nil:
		return nil, ErrNoToken
	}
	return s.enrollUntilDone(ctx, identity != nil)
}

// moved handles a token of another control plane than the identity's. A used token, or one whose CA
// can't be found, is an old one, and no reason to discard the identity.
func (s *Session) moved(ctx context.Context, identity *Identity) (*Identity, error) {
	s.options.Log.Warn("the token is of another control plane than this agent's identity; enrolling there", "token", s.options.Token)
	fresh, err := s.enrollUntilDone(ctx, false)
	if errors.Is(err, ErrEnrolment) || errors.Is(err, ErrAuthority) {
		s.options.Log.Warn("the token can't be used; keeping the identity", "err", err)
		return identity, nil
	}
	return fresh, err
}

func (s *Session) enrollUntilDone(ctx context.Context, mayWait bool) (*Identity, error) {
	var wait backoff
	away := outage{log: s.options.Log, what: "can't enrol"}
	for {
		identity, err := s.enroll(ctx)
		if err == nil {
			away.over()
			s.options.Log.Info("enrolled", "agent", identity.AgentID, "nodeId", identity.NodeID)
			return identity, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		delay := wait.next()
		if errors.Is(err, ErrEnrolment) || errors.Is(err, ErrAuthority) {
			if !mayWait {
				return nil, err
			}
			s.options.Log.Error("can't enrol again; the host stays as it is", "err", err)
			delay = jittered(retryRefused)
		} else {
			away.failed(err)
		}
		if !pause(ctx, delay) {
			return nil, ctx.Err()
		}
	}
}

// enroll makes one attempt.
func (s *Session) enroll(ctx context.Context) (*Identity, error) {
	key, err := pendingKey(s.options.StateFolder)
	if err != nil {
		return nil, err
	}
	request, err := certificateRequest(key, s.options.NodeName)
	if err != nil {
		return nil, err
	}
	transport := newTransport(s.options.Dial, pinning(s.options.Token.Fingerprint))
	defer transport.CloseIdleConnections()

	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	answer, err := s.callsOver(transport).Enroll(ctx, connect.NewRequest(&agentv1.EnrollRequest{
		Token: s.options.Token.text, CertificateRequest: request, Info: s.options.Info, NodeName: s.options.NodeName,
	}))
	if err != nil {
		return nil, enrolmentError(err)
	}
	identity, err := (&Identity{
		AgentID: answer.Msg.GetAgentId(), NodeID: answer.Msg.GetNodeId(), ClusterID: answer.Msg.GetClusterId(), Key: key,
	}).certified(answer.Msg.GetCertificate(), answer.Msg.GetAuthority())
	if err != nil {
		return nil, fmt.Errorf("%w: its answer is unusable: %w", ErrEnrolment, err)
	}
	if err := identity.Save(s.options.StateFolder); err != nil {
		return nil, err
	}
	return identity, forgetPendingKey(s.options.StateFolder)
}

func enrolmentError(err error) error {
	switch connect.CodeOf(err) {
	case connect.CodeUnauthenticated, connect.CodePermissionDenied, connect.CodeInvalidArgument,
		connect.CodeNotFound, connect.CodeAlreadyExists, connect.CodeFailedPrecondition, connect.CodeUnimplemented:
		var answer *connect.Error
		if errors.As(err, &answer) && answer.Message() != "" {
			return fmt.Errorf("%w: %s", ErrEnrolment, answer.Message())
		}
		return ErrEnrolment
	}
	return fmt.Errorf("enrol: %w", err)
}
