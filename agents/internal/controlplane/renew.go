package controlplane

import (
	"context"
	"fmt"
	"time"

	"connectrpc.com/connect"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const (
	// renewCheck limits the wait, because timers stop while a machine is suspended, but
	// certificates still expire.
	renewCheck = time.Hour
	// renewLeast prevents a busy loop for a certificate with a lifetime of a few seconds.
	renewLeast = 5 * time.Second
)

// renew renews the certificate in time until ctx ends.
func (s *Session) renew(ctx context.Context) {
	var wait backoff
	var again time.Duration // until the next attempt after a failure
	away := outage{log: s.options.Log, what: "can't renew the agent's certificate"}
	for {
		identity := s.connection.Load().identity
		delay := max(renewLeast, min(time.Until(identity.RenewAt()), renewCheck))
		if again > 0 {
			delay = max(renewLeast, again)
		}
		if !pause(ctx, delay) {
			return
		}
		if time.Now().Before(identity.RenewAt()) {
			continue
		}
		renewed, err := s.renewed(ctx, identity)
		if err != nil {
			if ctx.Err() != nil {
				return
			}
			again = wait.next()
			if refused(err) {
				again = jittered(retryRefused)
			}
			away.failed(err)
			continue
		}
		wait.reset()
		again = 0
		away.over()
		s.keep(renewed)
		s.use(renewed)
	}
}

// renewed requests a certificate for a new key, so that a leaked key is worthless after the old
// certificate expires.
func (s *Session) renewed(ctx context.Context, identity *Identity) (*Identity, error) {
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	request, err := certificateRequest(key, s.options.NodeName)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	answer, err := s.connection.Load().calls.Renew(ctx, connect.NewRequest(&agentv1.RenewRequest{CertificateRequest: request}))
	if err != nil {
		return nil, err
	}
	fresh := *identity
	fresh.Key = key
	renewed, err := fresh.certified(answer.Msg.GetCertificate(), answer.Msg.GetAuthority())
	if err != nil {
		return nil, fmt.Errorf("the answer is unusable: %w", err)
	}
	return renewed, nil
}

// keep stores the identity. If the disk can't be written, the agent continues, but a restart after
// the old certificate's end would need a new token.
func (s *Session) keep(identity *Identity) {
	if err := identity.Save(s.options.StateFolder); err != nil {
		s.options.Log.Error("the renewed certificate could not be saved; the old one stays on disk", "err", err)
		s.warn(fmt.Sprintf("The renewed certificate could not be saved (%v); restarting this agent later will need a new token.", err))
		return
	}
	s.warning.Store(nil)
	s.options.Log.Info("certificate renewed", "until", identity.Certificate.NotAfter)
}
