package controlplanetest

import (
	"context"
	"crypto/x509"
	"errors"
	"slices"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// keepAliveEvery is the protocol's interval.
const keepAliveEvery = 15 * time.Second

type service struct{ *ControlPlane }

func (s service) Enroll(_ context.Context, request *connect.Request[agentv1.EnrollRequest]) (*connect.Response[agentv1.EnrollResponse], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.tokens[request.Msg.GetToken()] {
		return nil, connect.NewError(connect.CodeUnauthenticated, errors.New("this token was used already"))
	}
	certificate, err := s.authority.client(request.Msg.GetCertificateRequest(), s.certificateLife)
	if err != nil {
		return nil, connect.NewError(connect.CodeInvalidArgument, err)
	}
	delete(s.tokens, request.Msg.GetToken())
	s.enrolments++
	return connect.NewResponse(skewed(s.skew, &agentv1.EnrollResponse{
		AgentId: "agent_1", NodeId: "node_1", ClusterId: "cluster_1",
		Certificate: certificate.Raw, Authority: s.authority.certificate.Raw,
	})), nil
}

func (s service) Renew(ctx context.Context, request *connect.Request[agentv1.RenewRequest]) (*connect.Response[agentv1.RenewResponse], error) {
	if err := s.admit(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.skew == Older {
		return nil, connect.NewError(connect.CodeUnimplemented, errors.New("there is no such procedure"))
	}
	certificate, err := s.authority.client(request.Msg.GetCertificateRequest(), s.certificateLife)
	if err != nil {
		return nil, connect.NewError(connect.CodeInvalidArgument, err)
	}
	s.renewals++
	return connect.NewResponse(skewed(s.skew, &agentv1.RenewResponse{
		Certificate: certificate.Raw, Authority: s.authority.certificate.Raw,
	})), nil
}

func (s service) Watch(ctx context.Context, request *connect.Request[agentv1.WatchRequest], stream *connect.ServerStream[agentv1.WatchResponse]) error {
	if err := s.admit(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	s.watches = append(s.watches, request.Msg)
	s.opened++
	number, nextQuestion := s.opened, len(s.questions)
	s.mu.Unlock()

	if s.skewNow() == Newer {
		if err := stream.Send(skewed(Newer, &agentv1.WatchResponse{})); err != nil {
			return err
		}
	}
	sent := request.Msg.GetRevision()
	keepAlive := time.NewTicker(keepAliveEvery)
	defer keepAlive.Stop()
	for {
		if err := s.admit(ctx); err != nil {
			return err
		}
		config, changed := s.newestConfig(number)
		if config.GetRevision() > sent {
			config := skewed(s.skewNow(), proto.CloneOf(config))
			if err := stream.Send(&agentv1.WatchResponse{Message: &agentv1.WatchResponse_Config{Config: config}}); err != nil {
				return err
			}
			sent = config.GetRevision()
		}
		for _, question := range s.questionsFrom(nextQuestion) {
			question := skewed(s.skewNow(), proto.CloneOf(question))
			if err := stream.Send(&agentv1.WatchResponse{Message: &agentv1.WatchResponse_Question{Question: question}}); err != nil {
				return err
			}
			nextQuestion++
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-keepAlive.C:
			if s.isMuted(number) {
				continue
			}
			alive := &agentv1.KeepAlive{At: timestamppb.Now()}
			if err := stream.Send(&agentv1.WatchResponse{Message: &agentv1.WatchResponse_KeepAlive{KeepAlive: alive}}); err != nil {
				return err
			}
		}
	}
}

// newestConfig is the config that a stream may receive, and a channel closed when that changes.
func (s service) newestConfig(number int) (*agentv1.NodeConfig, chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number <= max(s.lost, s.muted) {
		return nil, s.changed
	}
	return s.config, s.changed
}

func (s service) questionsFrom(first int) []*agentv1.Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.questions[first:]
}

func (s service) Answer(ctx context.Context, request *connect.Request[agentv1.AnswerRequest]) (*connect.Response[agentv1.AnswerResponse], error) {
	if err := s.admit(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, request.Msg)
	return connect.NewResponse(&agentv1.AnswerResponse{}), nil
}

func (s service) isMuted(number int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return number <= s.muted
}

func (s service) Report(ctx context.Context, request *connect.Request[agentv1.ReportRequest]) (*connect.Response[agentv1.ReportResponse], error) {
	if err := s.admit(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reportAnswer != nil {
		if err := s.reportAnswer(request.Msg); err != nil {
			return nil, err
		}
	}
	s.reports = append(s.reports, request.Msg)
	if s.skew == Older {
		return connect.NewResponse(&agentv1.ReportResponse{}), nil
	}
	return connect.NewResponse(skewed(s.skew, &agentv1.ReportResponse{NewestRevision: s.config.GetRevision()})), nil
}

// admit is the check of every call but Enroll.
func (s service) admit(ctx context.Context) error {
	client, known := ctx.Value(clientKey{}).(*x509.Certificate)
	if !known {
		return connect.NewError(connect.CodeUnauthenticated, errors.New("a client certificate is needed"))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if serial := client.SerialNumber.String(); !slices.Contains(s.serials, serial) {
		s.serials = append(s.serials, serial)
	}
	return s.refusal
}
