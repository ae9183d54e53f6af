package message

import (
	"errors"
	"net/netip"
	"reflect"
	"testing"
	"time"
)

var (
	key   = [32]byte{1, 2, 3}
	now   = time.Unix(1_800_000_000, 0)
	whole = Message{
		Kind: SessionIDs, Backend: "a", Service: netip.MustParseAddrPort("192.0.2.1:443"), Client: netip.MustParseAddrPort("[2001:db8::7]:40000"),
		Last: 7, Before: 3, IDs: [][IDBytes]byte{{1}, {2}},
	}
)

func TestAMessageArrivesAsItWasSent(t *testing.T) {
	got, err := Open(key, now.Add(time.Minute), Seal(key, now, whole))
	if err != nil || !reflect.DeepEqual(got, whole) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestOnlyFreshMessagesOfTheExposureAreAccepted(t *testing.T) {
	sealed := Seal(key, now, whole)
	for i := range sealed {
		changed := append([]byte{}, sealed...)
		changed[i] ^= 1
		if _, err := Open(key, now, changed); !errors.Is(err, ErrUnsigned) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
	}
	if _, err := Open([32]byte{9}, now, sealed); !errors.Is(err, ErrUnsigned) {
		t.Errorf("another key: %v", err)
	}
	for _, at := range []time.Time{now.Add(2 * time.Minute), now.Add(-2 * time.Minute)} {
		if _, err := Open(key, at, sealed); err == nil {
			t.Errorf("a message is accepted at %s", at)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(Seal(key, now, whole))
	f.Fuzz(func(t *testing.T, datagram []byte) {
		signed := append(datagram, mac(key, datagram)...)
		if m, err := Open(key, now, signed); err == nil && len(m.IDs)*IDBytes > len(datagram) {
			t.Fatalf("%d ids in %d bytes", len(m.IDs), len(datagram))
		}
	})
}
