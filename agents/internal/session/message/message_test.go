package message

import (
	"errors"
	"net/netip"
	"reflect"
	"strings"
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
	aged, request := whole, Message{Kind: RequestIDs, Service: whole.Service, Client: whole.Client, Last: 7, Until: 9}
	aged.Kind, aged.Newest, aged.Ages = AgedIDs, 9, []time.Duration{time.Hour, 7 * time.Millisecond}
	find, has := request, aged
	find.Kind, find.Until, find.IDs = FindID, 0, whole.IDs[:1]
	has.Kind, has.IDs, has.Ages = HasID, whole.IDs[:1], aged.Ages[:1]
	for _, want := range []Message{whole, aged, request, find, has} {
		got, err := Open(key, now.Add(time.Minute), Seal(key, now, want))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// A companion learns ids while it answers, also after the time that it answers as of.
func TestAnIDOfTheNextMomentIsNew(t *testing.T) {
	m := Message{Kind: AgedIDs, IDs: [][IDBytes]byte{{1}}, Ages: []time.Duration{-time.Second}}
	if got, err := Open(key, now, Seal(key, now, m)); err != nil || got.Ages[0] != 0 {
		t.Errorf("%v, %v", got.Ages, err)
	}
}

func TestMessagesWithAllIDsThatFitFitIntoAPacket(t *testing.T) {
	for _, backend := range []string{"", "bak_0123456789abcdef", strings.Repeat("x", nameMost)} {
		m := Message{Kind: AgedIDs, Backend: backend, IDs: make([][IDBytes]byte, 100), Ages: make([]time.Duration, 100)}
		sealed := Seal(key, now, m)
		got, err := Open(key, now, sealed)
		if err != nil || len(got.IDs) != AgedMost(backend) || len(sealed) > datagramMost || len(sealed)+agedBytes <= datagramMost {
			t.Errorf("a name of %d bytes: %d ids in %d bytes, %v", len(backend), len(got.IDs), len(sealed), err)
		}
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
	f.Add(Seal(key, now, Message{Kind: AgedIDs, IDs: whole.IDs, Ages: make([]time.Duration, 2)}))
	f.Fuzz(func(t *testing.T, datagram []byte) {
		signed := append(datagram, mac(key, datagram)...)
		if m, err := Open(key, now, signed); err == nil && len(m.IDs)*IDBytes > len(datagram) {
			t.Fatalf("%d ids in %d bytes", len(m.IDs), len(datagram))
		}
	})
}
