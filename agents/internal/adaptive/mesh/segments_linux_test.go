package mesh

import (
	"bytes"
	"net"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/endpoint"
	"fairlead.dev/agents/internal/privileged"
)

func newSocket(t *testing.T) *net.UDPConn {
	t.Helper()
	conn, err := endpoint.Open(loopback)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// add collects datagrams of these sizes to a socket, each with another content.
func add(b *batch, to *net.UDPConn, sizes ...int) (all [][]byte) {
	at := to.LocalAddr()
	for _, size := range sizes {
		content := append(b.next(), bytes.Repeat([]byte{byte(len(b.to))}, size)...)
		all = append(all, slices.Clone(content))
		b.add(content, at)
	}
	return all
}

// read returns datagrams in their order.
func read(t *testing.T, in *inbox, conn *net.UDPConn, count int) (all [][]byte) {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for len(all) < count {
		err := in.receive(func(datagram []byte, _ net.Addr, _ time.Duration) { all = append(all, slices.Clone(datagram)) })
		if err != nil {
			t.Fatalf("after %d datagrams: %v", len(all), err)
		}
	}
	return all
}

func TestDatagramsArriveAsTheyWereSent(t *testing.T) {
	many := slices.Repeat([]int{fullBytes}, 2*segmentsMost+1)
	for _, test := range []struct {
		name     string
		sizes    []int
		messages int
	}{
		{"none", nil, 0},
		{"a hello", []int{headerBytes + macBytes}, 1},
		{"one that is full", []int{fullBytes}, 1},
		{"the last is shorter", []int{fullBytes, fullBytes, 100}, 1},
		{"all are full", []int{fullBytes, fullBytes}, 1},
		{"only the last of a message is shorter", []int{fullBytes, 100, fullBytes, 200}, 2},
		{"only short ones", []int{100, 100}, 2},
		{"more than a message may have", many, 3},
	} {
		for name, joins := range map[string]bool{"joined": true, "one by one": false} {
			t.Run(test.name+", "+name, func(t *testing.T) {
				to, other := newSocket(t), newSocket(t)
				if joins {
					join(to)
				}
				in, out := newInbox(to), newBatch(newSocket(t))
				if !out.isCut {
					t.Fatal("the kernel can't cut messages")
				}
				for range 2 { // the buffers are used again
					want := add(out, to, test.sizes...)
					beside := add(out, other, fullBytes)
					if failed := out.send(); failed > 0 || len(out.messages) != test.messages+1 {
						t.Errorf("%d failed, %d messages", failed, len(out.messages))
					}
					if got := read(t, in, to, len(want)); !slices.EqualFunc(got, want, bytes.Equal) {
						t.Errorf("got %d datagrams, want %d", len(got), len(want))
					}
					if got := read(t, newInbox(other), other, 1); !bytes.Equal(got[0], beside[0]) {
						t.Error("another peer got something else")
					}
				}
			})
		}
	}
}

// The kernel doesn't cut a message into segments that exceed the MTU, but sends them as fragments.
func TestDatagramsFitThroughASmallMTU(t *testing.T) {
	privileged.Need(t)
	space := newSpace(t, "mtu")
	lo, err := space.Links().LinkByName("lo")
	if err != nil {
		t.Fatal(err)
	}
	if err := space.Links().LinkSetMTU(lo, 1000); err != nil {
		t.Fatal(err)
	}
	var to, from *net.UDPConn
	err = space.Do(func() error {
		to, from = newSocket(t), newSocket(t)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	in, out := newInbox(to), newBatch(from)
	for range 2 {
		want := add(out, to, fullBytes, fullBytes, 100)
		if failed := out.send(); failed > 0 || out.isCut {
			t.Errorf("%d failed, cut: %v", failed, out.isCut)
		}
		if got := read(t, in, to, len(want)); !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("got %d datagrams", len(got))
		}
	}
}

func TestDatagramsThatCannotBeSentAreCounted(t *testing.T) {
	out, to := newBatch(newSocket(t)), newSocket(t)
	nowhere := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)} // port 0 is the same error as a message that isn't cut
	for range 3 {
		out.add(append(out.next(), make([]byte, fullBytes)...), nowhere)
	}
	want := add(out, to, fullBytes)
	want = append(want, add(out, to, fullBytes, 100)...)
	if failed := out.send(); failed != 3 || !out.isCut || len(out.messages) != 2 {
		t.Errorf("%d failed, cut: %v, %d messages", failed, out.isCut, len(out.messages))
	}
	if got := read(t, newInbox(to), to, len(want)); !slices.EqualFunc(got, want, bytes.Equal) {
		t.Error("another peer got something else")
	}
}
