//go:build !linux

package main

import (
	"context"
	"runtime"
)

func runDecap(_ context.Context, arguments []string) (mine bool, err error) {
	if len(arguments) > 0 && arguments[0] == "decap" {
		return true, refuse("decapsulation needs Linux, and this is %s", runtime.GOOS)
	}
	return false, nil
}
