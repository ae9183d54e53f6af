package sessionapp

import (
	"context"
	"sync"
)

// Memory has the sessions of one server.
type Memory struct {
	lock     sync.RWMutex
	sessions map[string][]byte
}

// NewMemory returns one without sessions.
func NewMemory() *Memory { return &Memory{sessions: map[string][]byte{}} }

// Get calls use with the data.
func (m *Memory) Get(_ context.Context, id string, use func([]byte)) (bool, error) {
	m.lock.RLock()
	data, found := m.sessions[id]
	m.lock.RUnlock()
	if found {
		use(data)
	}
	return found, nil
}

// Set keeps the data.
func (m *Memory) Set(_ context.Context, id string, data []byte) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.sessions[id] = data
	return nil
}

// Clear removes all sessions.
func (m *Memory) Clear(context.Context) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	clear(m.sessions)
	return nil
}
