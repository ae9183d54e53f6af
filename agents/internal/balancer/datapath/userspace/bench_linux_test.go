package userspace

import (
	"fmt"
	"io"
	"net"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func BenchmarkAnswers(b *testing.B) {
	for _, size := range []int{100, 64 << 10, 16 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) { benchmarkAnswers(b, size) })
	}
}

// benchmarkAnswers requests replies of one size over one connection.
func benchmarkAnswers(b *testing.B, size int) {
	backend, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer backend.Close()
	go func() {
		conn, err := backend.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		question, answer := make([]byte, 1), make([]byte, size)
		for {
			if _, err := io.ReadFull(conn, question); err != nil {
				return
			}
			if _, err := conn.Write(answer); err != nil {
				return
			}
		}
	}()
	e := open(datapath.Options{})
	defer e.Close()
	service := datapath.Service{
		Key:      datapath.Key{Address: serviceAddress, Port: 7001, Protocol: datapath.TCP},
		Delivery: datapath.Proxy, Backends: backendsAt(backend.Addr()),
	}
	if _, err := datapath.Whole(e.Set(b.Context(), []datapath.Service{service})); err != nil {
		b.Fatal(err)
	}
	client, err := net.Dial("tcp", destination(service.Key).String())
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	answer := make([]byte, size)
	b.SetBytes(int64(size))
	for b.Loop() {
		if _, err := client.Write([]byte{1}); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(client, answer); err != nil {
			b.Fatal(err)
		}
	}
}
