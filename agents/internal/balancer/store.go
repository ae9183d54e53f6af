package balancer

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"fairlead.dev/agents/internal/atomicfile"
	"fairlead.dev/agents/internal/events"
)

// stored is a file of the state folder, which a later process reads. It is written only when its
// content changes, so that a full disk does no harm otherwise.
type stored struct {
	name    string
	content []byte // as it is on disk; nil: there is no file
	failed  string // error that was reported
}

// read decodes the file; false without one.
func (s *stored) read(folder string, into any) (found bool, err error) {
	s.content = nil
	data, err := os.ReadFile(filepath.Join(folder, s.name))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err == nil {
		s.content = data
	}
	return err == nil, err
}

// write replaces the file; it removes it without a value.
func (s *stored) write(folder string, value any) error {
	path := filepath.Join(folder, s.name)
	if value == nil {
		s.content = nil
		if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	data, err := json.Marshal(value)
	if err != nil || bytes.Equal(data, s.content) {
		return err
	}
	if err := atomicfile.Write(path, data, 0o600); err != nil {
		return err
	}
	s.content = data
	return nil
}

// reportStored reports an error once.
func (d *Driver) reportStored(s *stored, err error) {
	if err.Error() != s.failed {
		s.failed = err.Error()
		d.news.Record(events.Event{Reason: EngineFailed, Warning: true, Message: sentence(err)})
	}
}
