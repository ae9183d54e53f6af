//go:build !linux

package userspace

func descriptors() int64 { return 1024 }
