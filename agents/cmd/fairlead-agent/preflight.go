package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"fairlead.dev/agents/internal/controlplane"
)

// preflight returns an error with the fix where the agent could not work. Release unlocks the state
// folder.
func preflight(s *settings) (release func(), err error) {
	if runtime.GOOS != "linux" {
		return nil, refuse("the role %q runs on Linux only, and this is %s", s.role, runtime.GOOS)
	}
	if err := os.MkdirAll(s.state, 0o700); err != nil {
		return nil, refuse("the state folder %s can't be created (%w): choose another with --state", s.state, err)
	}
	release, err = lockFolder(s.state)
	if err != nil {
		return nil, err
	}
	if s.configFile != "" {
		return release, nil // there is no identity to check
	}
	if err := checkIdentity(s); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// checkIdentity lets an enrolled agent start whatever the state of its disk, but never uses a token
// for an identity that could not be stored.
func checkIdentity(s *settings) error {
	_, err := controlplane.LoadIdentity(s.state)
	if err == nil {
		return nil
	}
	if s.tokenErr != nil {
		return s.tokenErr
	}
	if s.token == nil && errors.Is(err, os.ErrNotExist) {
		return refusal{controlplane.ErrNoToken}
	}
	if s.token == nil {
		return refusal{err}
	}
	probe := filepath.Join(s.state, ".writable")
	if err := os.WriteFile(probe, []byte("x"), 0o600); err != nil {
		return refuse("the state folder %s can't be written (%w): make room or choose another with --state", s.state, err)
	}
	if err := os.Remove(probe); err != nil {
		return fmt.Errorf("remove %s: %w", probe, err)
	}
	return nil
}
