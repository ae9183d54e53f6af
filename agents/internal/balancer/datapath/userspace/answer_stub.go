//go:build !linux

package userspace

func (s *session) answer() {}
