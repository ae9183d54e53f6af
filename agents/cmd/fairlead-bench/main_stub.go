//go:build !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "fairlead-bench: data paths are measured on Linux only.")
	os.Exit(1)
}
