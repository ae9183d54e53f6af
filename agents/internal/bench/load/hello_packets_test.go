package load

import (
	"net"
	"slices"
	"strings"
	"testing"
)

// written keeps the sizes of writes.
type written struct {
	net.Conn
	text  strings.Builder
	sizes []int
}

func (w *written) Write(text []byte) (int, error) {
	w.sizes = append(w.sizes, len(text))
	return w.text.Write(text)
}

func TestOnlyTheHelloIsSplit(t *testing.T) {
	for packets, want := range map[int][]int{1: {11, 3}, 2: {5, 6, 3}, 5: {2, 2, 2, 2, 3, 3}} {
		out := &written{}
		conn := TLSOptions{HelloPackets: packets}.split(out)
		for _, text := range []string{"hello world", "bye"} {
			if n, err := conn.Write([]byte(text)); n != len(text) || err != nil {
				t.Fatalf("%d packets: %d, %v", packets, n, err)
			}
		}
		if !slices.Equal(out.sizes, want) || out.text.String() != "hello worldbye" {
			t.Errorf("%d packets: %v, %q", packets, out.sizes, out.text.String())
		}
	}
}
