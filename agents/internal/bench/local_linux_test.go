package bench

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"
)

func TestAStallBeginsAfterTheFirstClientHasConnected(t *testing.T) {
	server, address, err := startLocal(t.Context(), "serve")
	if err != nil {
		t.Fatal(err)
	}
	defer server.end()
	brief, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer stop()
	if err := server.stall(brief, 0, time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("without a client the stall ended with %v", err)
	}
	client, err := net.Dial("tcp", address.String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := server.stall(t.Context(), 0, time.Millisecond); err != nil {
		t.Error(err)
	}
}
