package controlplane

import (
	"context"

	"connectrpc.com/connect"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// questionsMost wait at once. Whoever asked gives up after seconds, so that more of them
// would be answered for nobody.
const questionsMost = 8

// hear keeps a question until it is its turn; the stream never waits for an answer.
func (s *Session) hear(question *agentv1.Question) {
	select {
	case s.questions <- question:
	default:
		s.options.Log.Debug("too many questions wait for an answer; one is left out", "question", question.GetId())
	}
}

// answer tells what was asked, one after the other, for as long as ctx lasts.
func (s *Session) answer(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case question := <-s.questions:
			answer := &agentv1.AnswerRequest{QuestionId: question.GetId(), Problem: "this role has nothing to tell"}
			if s.options.Answer != nil {
				answer = s.options.Answer(ctx, question)
			}
			if err := s.tell(ctx, answer); err != nil {
				s.options.Log.Debug("a question could not be answered", "question", question.GetId(), "err", err)
			}
		}
	}
}

// tell says it once: whoever wants to know asks again.
func (s *Session) tell(ctx context.Context, answer *agentv1.AnswerRequest) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := s.connection.Load().calls.Answer(ctx, connect.NewRequest(answer))
	return err
}
