// Command pause does nothing until it is told to end: it is what a pod's namespaces hang on, and a node's.
package main

import (
	"flag"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	flag.Parse()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGINT, syscall.SIGTERM)
	// The first process of a namespace inherits whoever has no parent any more, and has to bury them.
	orphans := make(chan os.Signal, 1)
	signal.Notify(orphans, syscall.SIGCHLD)
	for {
		select {
		case <-ended:
			return
		case <-orphans:
			bury()
		}
	}
}

func bury() {
	for {
		if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 || err != nil {
			return
		}
	}
}
