package agent

import (
	"fmt"
	"log/slog"
	"sync"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// saver writes applied configs to disk outside of the loop, because a disk may take seconds. If
// several wait, only the newest is written, never an older one after a newer one.
type saver struct {
	store func(*agentv1.NodeConfig) error
	log   *slog.Logger
	wake  chan struct{}
	ended chan struct{}

	mu      sync.Mutex
	unsaved *agentv1.NodeConfig // applied, but not on disk
	warning string
}

func newSaver(store func(*agentv1.NodeConfig) error, log *slog.Logger) *saver {
	s := &saver{store: store, log: log, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		for range s.wake {
			s.write()
		}
	}()
	return s
}

// save never blocks.
func (s *saver) save(config *agentv1.NodeConfig) {
	s.mu.Lock()
	s.unsaved = config
	s.mu.Unlock()
	s.again()
}

// again retries what could not be saved, for a disk that was full.
func (s *saver) again() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// close returns when the config is saved, or can't be.
func (s *saver) close() {
	close(s.wake)
	<-s.ended
}

func (s *saver) write() {
	s.mu.Lock()
	config := s.unsaved
	s.mu.Unlock()
	if config == nil {
		return
	}
	err := s.store(config)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		warning := fmt.Sprintf("Revision %d runs but could not be saved (%v); a restart would use an older config.", config.GetRevision(), err)
		if warning != s.warning {
			s.log.Error("the running config could not be saved; a restart would use an older one", "revision", config.GetRevision(), "err", err)
		}
		s.warning = warning
		return
	}
	s.warning = ""
	if s.unsaved == config {
		s.unsaved = nil
	}
}

func (s *saver) warn(warning string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.warning = warning
}

// currentWarning describes the problem with the disk; empty if there is none.
func (s *saver) currentWarning() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.warning
}
