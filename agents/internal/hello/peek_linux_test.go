package hello

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/pump"
)

// counted counts how often a reader looks at its socket.
type counted struct {
	syscall.RawConn
	looks *int
}

func (c counted) Read(try func(uintptr) bool) error {
	return c.RawConn.Read(func(fd uintptr) bool {
		*c.looks++
		return try(fd)
	})
}

// peeked returns the server name of a client's hello, once it is complete, and how often
// the socket woke the reader.
func peeked(server *net.TCPConn, most int) (name string, looks int, err error) {
	raw, err := server.SyscallConn()
	if err != nil {
		return "", 0, err
	}
	err = peek(counted{raw, &looks}, most, func(h *Hello) { name = string(h.ServerName) })
	return name, looks, err
}

// Slow clients send one byte in each segment. The reader is already waiting at the first.
func TestPeekLeavesEveryByteHoweverTheyArrive(t *testing.T) {
	protocols := slices.Repeat([]string{strings.Repeat("p", 250)}, 55)
	small, large := &tls.Config{ServerName: "a.example"}, &tls.Config{ServerName: "a.example", NextProtos: protocols}
	for _, test := range []struct {
		name           string
		hello          []byte
		segment, looks int
	}{
		{"at once", goHello(t, small), 1 << 20, 3},
		{"in two segments", goHello(t, small), 1000, 5},
		{"in segments of one byte", goHello(t, small), 1, 6},
		{"in records and segments of one byte", records(goHello(t, small), 1), 1, 60},
		{"16 KB in segments", goHello(t, large), 1400, 6},
		{"16 KB in segments of one byte", goHello(t, large), 1, 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			client, server := connected(t)
			sent := append(bytes.Clone(test.hello), "and early data"...)
			go func() {
				for rest := sent; len(rest) > 0; rest = rest[min(test.segment, len(rest)):] {
					if _, err := client.Write(rest[:min(test.segment, len(rest))]); err != nil {
						return
					}
				}
			}()
			name, looks, err := peeked(server, Most)
			if name != "a.example" || err != nil || looks > test.looks {
				t.Errorf("%q, %v, after %d looks", name, err, looks)
			}
			got := make([]byte, len(sent))
			if _, err := io.ReadFull(server, got); err != nil || !bytes.Equal(got, sent) {
				t.Errorf("other bytes are left: %v", err)
			}
			late := time.AfterFunc(5*time.Millisecond, func() { _, _ = client.Write([]byte{7}) }) // after the reader waits
			defer late.Stop()
			if _, err := io.ReadFull(server, got[:1]); err != nil || got[0] != 7 {
				t.Errorf("a single byte after it: %v", err) // as the socket wakes for one again
			}
		})
	}
}

func TestPeekReportsWhyThereIsNoHello(t *testing.T) {
	stream := goHello(t, &tls.Config{ServerName: "a.example"})
	for _, test := range []struct {
		name string
		sent []byte
		end  func(client *net.TCPConn)
		want error
	}{
		{"closed without a byte", nil, func(c *net.TCPConn) { c.Close() }, io.EOF},
		{"closed within the hello", stream[:100], func(c *net.TCPConn) { c.Close() }, io.ErrUnexpectedEOF},
		{"its half closed within the hello", stream[:100], func(c *net.TCPConn) { _ = c.CloseWrite() }, io.ErrUnexpectedEOF},
		{"its half closed after the hello", stream, func(c *net.TCPConn) { _ = c.CloseWrite() }, nil},
		{"reset without a byte", nil, pump.Reset, unix.ECONNRESET},
		{"another protocol", []byte("GET / HTTP/1.1\r\n\r\n"), nil, ErrInvalid},
		{"too large", []byte{22, 3, 1, 0x40, 0, 1, 0, 0x40, 0}, nil, ErrTooLarge},
		{"silent", nil, nil, os.ErrDeadlineExceeded},
		{"silent within the hello", stream[:100], nil, os.ErrDeadlineExceeded},
	} {
		for _, late := range []bool{false, true} { // whether the reader waits already
			t.Run(test.name+map[bool]string{true: ", late"}[late], func(t *testing.T) {
				client, server := connected(t)
				act := func() {
					_, _ = client.Write(test.sent)
					if test.end != nil {
						test.end(client)
					}
				}
				if errors.Is(test.want, os.ErrDeadlineExceeded) {
					_ = server.SetReadDeadline(time.Now().Add(30 * time.Millisecond))
				}
				if late {
					defer time.AfterFunc(5*time.Millisecond, act).Stop()
				} else {
					act()
				}
				if _, looks, err := peeked(server, Most); !errors.Is(err, test.want) || looks > 5 {
					t.Errorf("%v, after %d looks", err, looks)
				}
			})
		}
	}
}

// A reset within the hello may be seen as the end of the stream.
func TestPeekEndsWithAResetWithinTheHello(t *testing.T) {
	client, server := connected(t)
	if _, err := client.Write([]byte{22, 3, 1, 2, 0, 1}); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(5*time.Millisecond, func() { pump.Reset(client) }).Stop()
	if _, _, err := peeked(server, Most); !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, unix.ECONNRESET) {
		t.Error(err)
	}
}

// The deadline isn't extended by single bytes.
func TestASlowClientHasTheTimeOfAnyOther(t *testing.T) {
	client, server := connected(t)
	stream := goHello(t, &tls.Config{ServerName: "a.example"})
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for i := range stream {
			select {
			case <-stop:
				return
			case <-tick.C:
				_, _ = client.Write(stream[i : i+1])
			}
		}
	}()
	const most = 60 * time.Millisecond
	_ = server.SetReadDeadline(time.Now().Add(most))
	began := time.Now()
	_, looks, err := peeked(server, Most)
	if took := time.Since(began); !errors.Is(err, os.ErrDeadlineExceeded) || looks > 5 || took > 10*most {
		t.Errorf("%v after %v and %d looks", err, took, looks)
	}
}

func BenchmarkPeek(b *testing.B) {
	client, server := connected(b)
	_ = server.SetDeadline(time.Time{})
	_ = client.SetDeadline(time.Time{})
	if _, err := client.Write(resumedHello(b, tls.VersionTLS13)); err != nil {
		b.Fatal(err)
	}
	see := func(*Hello) {}
	if err := Peek(server, Most, see); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() { // the bytes stay, so it can look again
		if err := Peek(server, Most, see); err != nil {
			b.Fatal(err)
		}
	}
}
