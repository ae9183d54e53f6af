package bench

import (
	"bytes"
	"context"
	"net"
	"net/netip"
	"testing"
	"time"
)

// Both ends meet on the loopback interface, as they do in the benchmark.
func TestEveryWorkloadGetsCompleteRepliesWithoutFailure(t *testing.T) {
	address := startServer(t)
	for _, workload := range Workloads {
		t.Run(string(workload), func(t *testing.T) {
			load, err := Generate(LoadOptions{
				Targets: []netip.AddrPort{address}, Workload: workload, Connections: 8,
				Warmup: 20 * time.Millisecond, For: 200 * time.Millisecond,
			})
			if err != nil {
				t.Fatal(err)
			}
			if load.Requests < 20 || load.Failed > 0 || load.Lost > 0 {
				t.Errorf("%+v", load)
			}
			if load.P50 <= 0 || load.P99 < load.P50 || load.Seconds < 0.2 || load.CPUSeconds <= 0 {
				t.Errorf("figures that can't be: %+v", load)
			}
		})
	}
}

func TestARefusedConnectionCountsAsAFailure(t *testing.T) {
	for _, secured := range []bool{false, true} {
		load, err := Generate(LoadOptions{Targets: []netip.AddrPort{freeAddress(t)}, Workload: New, TLS: secured, Connections: 2, For: time.Minute})
		if err == nil || load.Requests > 0 || load.Failed == 0 {
			t.Errorf("with TLS %t: %+v, %v", secured, load, err)
		}
	}
}

// freeAddress is an unused address.
func freeAddress(t *testing.T) netip.AddrPort {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return netip.MustParseAddrPort(listener.Addr().String())
}

func TestDatagramsWithoutAnAnswerAreLost(t *testing.T) {
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	load, err := Generate(LoadOptions{
		Targets: []netip.AddrPort{netip.MustParseAddrPort(silent.LocalAddr().String())}, Workload: UDP, Connections: 2, For: 2 * patience,
	})
	if err != nil || load.Requests > 0 || load.Lost < 2 {
		t.Errorf("%+v, %v", load, err)
	}
}

func TestADatagramSentAtTheEndCanBeLost(t *testing.T) {
	const answers = 4 // few, so that a busy machine sends them in time
	heard := 0
	to := echoAfter(t, func() (time.Duration, bool) { heard++; return 0, heard <= answers })
	load, err := Generate(LoadOptions{Targets: to, Workload: UDP, Connections: 2, For: patience / 2})
	if err != nil || load.Requests > answers || load.Lost != 2 || load.Late > 0 {
		t.Errorf("%+v, %v", load, err)
	}
}

func TestALateAnswerIsNotALoss(t *testing.T) {
	to := echoAfter(t, func() (time.Duration, bool) { return patience / 2, true })
	load, err := Generate(LoadOptions{Targets: to, Workload: UDP, Connections: 2, Warmup: patience * 2 / 5, For: patience / 4})
	if err != nil || load.Lost+load.Late > 0 || load.Requests != 2 {
		t.Errorf("%+v, %v", load, err)
	}
}

// echoAfter sends each datagram back after the delay that when returns, or not at all.
func echoAfter(t *testing.T, when func() (after time.Duration, answers bool)) []netip.AddrPort {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		for buffer := make([]byte, payloadSize); ; {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			if after, answers := when(); answers {
				answer := bytes.Clone(buffer[:n])
				time.AfterFunc(after, func() { _, _ = conn.WriteTo(answer, from) })
			}
		}
	}()
	return []netip.AddrPort{netip.MustParseAddrPort(conn.LocalAddr().String())}
}

func TestAnAnswerInPiecesIsOneAnswer(t *testing.T) {
	text := response("a", 100, false)
	for size := 1; size < len(text); size += 7 {
		var a requester
		answers := 0
		for rest := text; len(rest) > 0; rest = rest[min(size, len(rest)):] {
			whole, err := a.take(rest[:min(size, len(rest))])
			if err != nil {
				t.Fatal(err)
			}
			if whole {
				answers++
			}
		}
		if answers != 1 {
			t.Errorf("pieces of %d: %d answers", size, answers)
		}
	}
	var a requester
	if _, err := a.take(append(text, 'x')); err == nil {
		t.Error("one byte too many is no failure")
	}
}

func startServer(t *testing.T) netip.AddrPort {
	t.Helper()
	address := freeAddress(t)
	ctx, stop := context.WithCancel(t.Context())
	listening, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- Serve(ctx, ServerOptions{Name: "a", TCP: address, UDP: []netip.AddrPort{address}}, func() { close(listening) })
	}()
	select {
	case <-listening:
	case err := <-done:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return address
}
