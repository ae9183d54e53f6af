package controlplane_test

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/controlplane"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestAnswersEachQueryOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		start(t, controlplane.Options{
			Token: token(t, cp), StateFolder: t.TempDir(), Dial: cp.Network.Dial,
			Answer: func(_ context.Context, question *agentv1.Question) *agentv1.AnswerRequest {
				return &agentv1.AnswerRequest{QuestionId: question.GetId(), Routes: &agentv1.RoutesAnswer{Known: 7}}
			},
		})
		synctest.Wait()
		cp.SendQuestion(&agentv1.Question{Id: "q1", Routes: &agentv1.RoutesQuestion{}})
		synctest.Wait()
		if got := cp.Answers(); len(got) != 1 || got[0].GetQuestionId() != "q1" || got[0].GetRoutes().GetKnown() != 7 {
			t.Fatalf("got answer %v", got)
		}
	})
}

func TestARoleWithoutQueriesReportsAProblem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		enrolled(t, cp, t.TempDir())
		cp.SendQuestion(&agentv1.Question{Id: "q1"})
		synctest.Wait()
		if got := cp.Answers(); len(got) != 1 || got[0].GetProblem() == "" {
			t.Fatalf("got answer %v", got)
		}
	})
}

// A config must not wait for an answer, nor may queries pile up.
func TestQueriesDoNotDelayConfigs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		slow := make(chan struct{})
		a := start(t, controlplane.Options{
			Token: token(t, cp), StateFolder: t.TempDir(), Dial: cp.Network.Dial,
			Answer: func(_ context.Context, question *agentv1.Question) *agentv1.AnswerRequest {
				<-slow
				return &agentv1.AnswerRequest{QuestionId: question.GetId()}
			},
		})
		synctest.Wait()
		for i := range 50 {
			cp.SendQuestion(&agentv1.Question{Id: strconv.Itoa(i)})
		}
		synctest.Wait()
		cp.SetConfig(config(1))
		time.Sleep(time.Second)
		if got := (<-a.Configs()).GetRevision(); got != 1 {
			t.Fatalf("revision = %d", got)
		}
		close(slow)
		synctest.Wait()
		if got := len(cp.Answers()); got != 9 { // one in progress, eight queued
			t.Fatalf("%d answers", got)
		}
	})
}
