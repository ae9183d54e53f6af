//go:build !linux

package main

import (
	"context"
	"runtime"
)

func runLab(ctx context.Context, arguments []string) (mine bool, err error) {
	switch {
	case len(arguments) > 0 && arguments[0] == "lab-app":
		return true, runLabApp(ctx, arguments[1:])
	case len(arguments) > 0 && arguments[0] == "lab":
		return true, refuse("the lab needs Linux network namespaces, and this is %s", runtime.GOOS)
	}
	return false, nil
}
