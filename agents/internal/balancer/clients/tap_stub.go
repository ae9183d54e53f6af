//go:build !linux

package clients

import "errors"

// Open fails: packet sockets are a part of Linux.
func Open(string) (Tap, error) { return nil, errors.New("it needs Linux") }
