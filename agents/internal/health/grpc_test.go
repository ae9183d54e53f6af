package health

import (
	"testing"
)

func TestParseGRPC(t *testing.T) {
	for _, test := range []struct {
		name string
		in   []byte
		want uint64
		ok   bool
	}{
		{"serving", []byte{0, 0, 0, 0, 2, 0x08, 1}, 1, true},
		{"an empty message means unknown", []byte{0, 0, 0, 0, 0}, 0, true},
		{"an unknown field", []byte{0, 0, 0, 0, 6, 0x12, 2, 'h', 'i', 0x08, 1}, 1, true},
		{"nothing", nil, 0, false},
		{"compressed", []byte{1, 0, 0, 0, 2, 0x08, 1}, 0, false},
		{"shorter than its length", []byte{0, 0, 0, 0, 3, 0x08, 1}, 0, false},
		{"longer than its length", []byte{0, 0, 0, 0, 1, 0x08, 1}, 0, false},
		{"cut in the field", []byte{0, 0, 0, 0, 1, 0x08}, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseGRPC(test.in)
			if got != test.want && test.ok || (err == nil) != test.ok {
				t.Errorf("got %d, %v", got, err)
			}
		})
	}
}

func FuzzParseGRPC(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 2, 0x08, 1})
	f.Add([]byte{0, 0, 0, 0, 6, 0x12, 2, 'h', 'i', 0x08, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := parseGRPC(data); err == nil && len(data) < grpcFrameBytes {
			t.Fatalf("%d bytes were parsed as a message", len(data))
		}
	})
}
