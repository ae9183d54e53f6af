package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"time"

	"fairlead.dev/agents/internal/lab/app"
)

const labAppUsage = `usage: fairlead-agent lab-app serve --name NAME [--http ADDR] [--tcp ADDR] [--tls ADDR] [--udp ADDR]… [--tickets FILE]
       fairlead-agent lab-app load --counts SOCKET --loads JSON

The programs of a lab's pods and clients; "fairlead-agent lab up" starts it.`

// runLabApp runs the application of a pod, or the traffic of a client.
func runLabApp(ctx context.Context, arguments []string) error {
	if len(arguments) == 0 || (arguments[0] != "serve" && arguments[0] != "load") {
		return refuse("%s", labAppUsage)
	}
	flags := flag.NewFlagSet("lab-app", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	name := flags.String("name", "", "")
	counts := flags.String("counts", "", "")
	tickets := flags.String("tickets", "", "")
	described := flags.String("loads", "[]", "")
	var listens []app.Listen
	for _, serve := range []string{"http", "tcp", "tls", "udp"} {
		flags.Func(serve, "", func(address string) error {
			listens = append(listens, app.Listen{Serve: serve, Address: address})
			return nil
		})
	}
	if err := flags.Parse(arguments[1:]); err != nil || flags.NArg() > 0 {
		return refuse("%w\n%s", err, labAppUsage)
	}
	// Many of these share a machine: more threads would only compete.
	runtime.GOMAXPROCS(1)
	if arguments[0] == "serve" {
		for i := range listens {
			listens[i].Tickets = *tickets
		}
		return app.Serve(ctx, *name, listens)
	}
	var loads []app.Load
	if err := json.Unmarshal([]byte(*described), &loads); err != nil {
		return refuse("the loads can't be read: %w", err)
	}
	return runLoad(ctx, loads, *counts)
}

// runLoad serves its counters on a socket.
func runLoad(ctx context.Context, loads []app.Load, socket string) error {
	// A killed process left its socket behind.
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove the old socket of the counts: %w", err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return fmt.Errorf("serve the counts: %w", err)
	}
	counts := app.NewCounts()
	server := &http.Server{Handler: counts, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	defer server.Close()
	app.Run(ctx, loads, counts)
	<-ctx.Done()
	return nil
}
