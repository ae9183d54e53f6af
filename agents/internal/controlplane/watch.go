package controlplane

import (
	"context"
	"errors"
	"time"

	"connectrpc.com/connect"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

var (
	errSilent  = errors.New("the control plane has sent nothing for 45 s")
	errEnded   = errors.New("the control plane ended the stream")
	errRestart = errors.New("the stream is being reopened")
)

// watchSteady is how long a stream must have been open before its end resets the backoff. Otherwise a control
// plane that answers and crashes in a loop would be contacted ever more often.
const watchSteady = 10 * time.Second

// watch keeps one stream of configs open until ctx ends.
func (s *Session) watch(ctx context.Context) {
	var wait backoff
	away := outage{log: s.options.Log, what: "the control plane is away"}
	for {
		opened := time.Now()
		err := s.watchOnce(ctx, &away)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errRestart) {
			wait.reset()
			continue
		}
		if time.Since(opened) >= watchSteady && away.since.IsZero() {
			wait.reset()
		}
		delay := wait.next()
		if refused(err) {
			s.options.Log.Error("the control plane refuses this agent; the host stays as it is. "+
				"If the agent should come back, delete "+identityFile+" in its state folder and start it with a new token",
				"err", err, "state", s.options.StateFolder)
			delay = jittered(retryRefused)
		} else {
			away.failed(err)
		}
		if !pause(ctx, delay) {
			return
		}
	}
}

// watchOnce receives until the stream ends or is silent for too long.
func (s *Session) watchOnce(parent context.Context, away *outage) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	s.endWatch.Store(&cancel)
	silence := time.AfterFunc(silenceMost, func() { cancel(errSilent) })
	defer silence.Stop()

	stream, err := s.connection.Load().calls.Watch(ctx, connect.NewRequest(&agentv1.WatchRequest{
		Info: s.options.Info, Revision: s.newest.Load(),
	}))
	if err != nil {
		return endOfWatch(ctx, err)
	}
	// Cancelled first, because Close would wait for the rest of the stream.
	defer func() { cancel(nil); _ = stream.Close() }()

	for stream.Receive() {
		silence.Reset(silenceMost)
		away.over()
		// An unknown message also shows that the connection works.
		if config := stream.Msg().GetConfig(); config != nil {
			s.offer(config)
		}
		if question := stream.Msg().GetQuestion(); question != nil {
			s.enqueue(question)
		}
	}
	return endOfWatch(ctx, stream.Err())
}

// endOfWatch prefers our own reason over the bare "canceled" that it causes.
func endOfWatch(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		return err
	}
	return errEnded
}

// offer passes a config on, and replaces one that was not taken yet.
func (s *Session) offer(config *agentv1.NodeConfig) {
	if config.GetRevision() <= s.newest.Load() {
		return
	}
	s.newest.Store(config.GetRevision())
	select {
	case <-s.configs:
	default:
	}
	s.configs <- config // has room: only this goroutine fills it
}

func (s *Session) restartWatch() {
	if end := s.endWatch.Load(); end != nil {
		(*end)(errRestart)
	}
}
