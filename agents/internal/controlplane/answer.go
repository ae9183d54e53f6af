package controlplane

import (
	"context"

	"connectrpc.com/connect"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// questionsMost limits the queue of queries. A caller gives up after seconds, so more of them would
// be answered in vain.
const questionsMost = 8

// enqueue queues a query; the stream never waits for an answer.
func (s *Session) enqueue(question *agentv1.Question) {
	select {
	case s.questions <- question:
	default:
		s.options.Log.Debug("too many queries are waiting; one is dropped", "question", question.GetId())
	}
}

// answer handles queries one after the other until ctx ends.
func (s *Session) answer(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case question := <-s.questions:
			answer := &agentv1.AnswerRequest{QuestionId: question.GetId(), Problem: "this role doesn't support queries"}
			if s.options.Answer != nil {
				answer = s.options.Answer(ctx, question)
			}
			if err := s.sendAnswer(ctx, answer); err != nil {
				s.options.Log.Debug("a query could not be answered", "question", question.GetId(), "err", err)
			}
		}
	}
}

// sendAnswer sends an answer once: the caller may query again.
func (s *Session) sendAnswer(ctx context.Context, answer *agentv1.AnswerRequest) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := s.connection.Load().calls.Answer(ctx, connect.NewRequest(answer))
	return err
}
