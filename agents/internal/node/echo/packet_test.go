package echo

import (
	"crypto/sha256"
	"testing"
	"time"
)

func TestAPacketIsReadAsItWasWritten(t *testing.T) {
	want := packet{kind: reply, number: 1<<63 + 7, residence: 12345 * time.Nanosecond, to: sha256.Sum256([]byte("agt_1"))}
	written := want.append(nil)
	if got, valid := parsePacket(written); !valid || got != want {
		t.Fatalf("got %+v, %v", got, valid)
	}
	unknown := append([]byte(nil), written...)
	unknown[kindAt] = 3
	for name, b := range map[string][]byte{
		"empty": nil, "short": written[:len(written)-1], "long": append(written[:len(written):len(written)], 0),
		"another protocol": append([]byte("GET / HT"), written[8:]...), "unknown kind": unknown,
	} {
		if got, valid := parsePacket(b); valid {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func FuzzParsePacket(f *testing.F) {
	first := packet{kind: request}
	f.Add(first.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, valid := parsePacket(b); valid && len(got.append(nil)) != len(b) {
			t.Fatalf("a reply to %d bytes has %d", len(b), len(got.append(nil)))
		}
	})
}
