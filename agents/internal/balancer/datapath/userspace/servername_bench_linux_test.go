package userspace

import (
	"io"
	"net"
	"testing"

	"golang.org/x/sys/unix"
)

// BenchmarkConnection opens connections with a hello, which the backend answers with this
// many bytes. The difference between "named" and "plain" is the cost of parsing the
// hello.
func BenchmarkConnection(b *testing.B) {
	hello := helloFor(b, "shop-0.example.com")
	for _, size := range []int{1, 16 << 20} {
		for _, kind := range []string{"plain", "named"} {
			b.Run(kind+map[int]string{1: "/begin", 16 << 20: "/stream"}[size], func(b *testing.B) {
				backend := answering(b, len(hello), size)
				e := opened(b, 0)
				names := map[string][]string{"plain": nil, "named": {"shop-0.example.com"}}[kind]
				address := destination(byName(b, e, 7002, names, backend).Key).String()
				answer := make([]byte, 64<<10)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				began := processorTime(b)
				for b.Loop() {
					begin(b, address, hello, answer, size)
				}
				b.ReportMetric(float64(processorTime(b)-began)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}

// processorTime is CPU time, which doesn't depend on the machine's load as wall-clock
// time does.
func processorTime(b *testing.B) int64 {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func begin(b *testing.B, address string, hello, answer []byte, size int) {
	client, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	if _, err := client.Write(hello); err != nil {
		b.Fatal(err)
	}
	for left := size; left > 0; {
		got, err := client.Read(answer)
		if err != nil {
			b.Fatal(err)
		}
		left -= got
	}
}

// answering is a backend that reads and answers this many bytes.
func answering(b *testing.B, question, size int) net.Addr {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { listener.Close() })
	block := make([]byte, min(size, 1<<20))
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := io.ReadFull(conn, make([]byte, question)); err != nil {
					return
				}
				for left := size; left > 0; left -= len(block) {
					if _, err := conn.Write(block); err != nil {
						return
					}
				}
			}()
		}
	}()
	return listener.Addr()
}
