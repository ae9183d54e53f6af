package cookie

import (
	"encoding/hex"
	"net/netip"
	"testing"
)

var (
	client     = netip.MustParseAddrPort("198.51.100.7:40000")
	connection = Connection{client, netip.MustParseAddrPort("192.0.2.1:443")}
	six        = Connection{netip.MustParseAddrPort("[2001:db8:c::7]:40000"), netip.MustParseAddrPort("[2001:db8::1]:443")}
)

// The example of the paper that defines SipHash.
func TestSipHashIsTheOneOfItsPaper(t *testing.T) {
	message := make([]byte, 15)
	for i := range message {
		message[i] = byte(i)
	}
	if got := sipHash(Key{0x0706050403020100, 0x0f0e0d0c0b0a0908}, message); got != 0xa129ca6149be45e5 {
		t.Errorf("%x", got)
	}
}

func keysOf(t testing.TB, clusterKey string) Keys {
	t.Helper()
	keys, err := Derive([]byte(clusterKey), "exposure-1")
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// All replicas and versions must agree.
func TestCookiesNeverChange(t *testing.T) {
	keys := keysOf(t, "0123456789abcdef0123456789abcdef")
	for _, c := range []struct {
		of   Connection
		o    Options
		want uint32
	}{
		{connection, Options{MSS: 1460, Scale: 7, SACK: true}, 0x42c4d57e},
		{six, Options{MSS: 1000, Scale: NoScale}, 0x4e9161f0},
	} {
		if got := Bake(keys.Cookie, c.of, 0xfffffff0, 0x17c1, c.o); got != c.want {
			t.Errorf("%v: %#x, want %#x", c.of, got, c.want)
		}
	}
}

func TestACookieIsValidForItsConnectionOnly(t *testing.T) {
	set := Set{Current: keysOf(t, "0123456789abcdef"), Previous: keysOf(t, "fedcba9876543210")}
	o := Options{MSS: 1400, Scale: 9, SACK: true}
	const syn, epoch = 17, 1000
	baked := Bake(set.Current.Cookie, connection, syn, epoch, o)
	other := connection
	other.Client = netip.AddrPortFrom(client.Addr(), 40001)
	for _, c := range []struct {
		name       string
		of         Connection
		syn, epoch uint32
		cookie     uint32
		keys       Set
		want       bool
	}{
		{"its own", connection, syn, epoch, baked, set, true},
		{"an epoch later", connection, syn, epoch + 1, baked, set, true},
		{"by a clock that is behind", connection, syn, epoch - 1, baked, set, true},
		{"two epochs later", connection, syn, epoch + 2, baked, set, false},
		{"of another port", other, syn, epoch, baked, set, false},
		{"of another SYN", connection, syn + 1, epoch, baked, set, false},
		{"with other options", connection, syn, epoch, baked ^ 1<<4, set, false},
		{"after a change of keys", connection, syn, epoch, baked, Set{Current: set.Previous, Previous: set.Current}, true},
		{"after two changes of keys", connection, syn, epoch, baked, Set{Current: set.Previous}, false},
	} {
		got, ok := Check(c.keys, c.of, c.syn, c.epoch, c.cookie)
		if ok != c.want || ok && got != o {
			t.Errorf("%s: %+v, %t", c.name, got, ok)
		}
	}
}

func TestAnOddSegmentSizeIsRoundedDown(t *testing.T) {
	for size, want := range map[uint16]uint16{0: 536, 536: 536, 1219: 536, 1220: 1220, 1459: 1440, 9000: 8960} {
		set := Set{Current: keysOf(t, "0123456789abcdef")}
		got, ok := Check(set, connection, 1, 1, Bake(set.Current.Cookie, connection, 1, 1, Options{MSS: size, Scale: NoScale}))
		if !ok || got.MSS != want {
			t.Errorf("%d becomes %d, want %d", size, got.MSS, want)
		}
	}
}

func TestKeysDiffer(t *testing.T) {
	one, two := keysOf(t, "0123456789abcdef"), keysOf(t, "0123456789abcdeg")
	other, err := Derive([]byte("0123456789abcdef"), "exposure-2")
	if err != nil || one == two || one == other || one.Cookie == one.Mask {
		t.Errorf("keys are equal: %v", err)
	}
	if _, err := Derive([]byte("short"), "x"); err == nil {
		t.Error("a short key is accepted")
	}
}

func TestAnEmptyKeyIsNeverAccepted(t *testing.T) {
	set := Set{Current: keysOf(t, "0123456789abcdef")}
	if _, ok := Check(set, connection, 1, 1, Bake(Key{}, connection, 1, 1, Options{MSS: 1460})); ok {
		t.Error("a cookie of an empty key is accepted")
	}
	if (Set{}).Check() == nil || set.Check() != nil {
		t.Error("empty keys aren't rejected, or others are")
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(uint32(1), uint32(1000), uint16(1460), uint8(7), true, uint32(0))
	f.Add(uint32(0xffffffff), uint32(0), uint16(0), uint8(15), false, uint32(1<<31))
	f.Fuzz(func(t *testing.T, syn, epoch uint32, size uint16, scale uint8, sack bool, flip uint32) {
		set := Set{Current: Keys{Cookie: Key{1, 2}}, Previous: Keys{Cookie: Key{3, 4}}}
		baked := Bake(set.Current.Cookie, connection, syn, epoch, Options{MSS: size, Scale: scale, SACK: sack})
		o, ok := Check(set, connection, syn, epoch, baked)
		if !ok || o.SACK != sack || o.Scale != scale&15 || o.MSS > max(size, Sizes[0]) {
			t.Fatalf("%+v, %t", o, ok)
		}
		if changed := flip &^ lowBits; changed != 0 {
			if _, ok := Check(Set{Current: set.Current, Previous: set.Current}, connection, syn, epoch, baked^changed); ok {
				t.Fatalf("a cookie with other bits (%#x) is accepted", changed)
			}
		}
	})
}

// The control plane derives the same keys, and its test has the same bytes.
func TestKeysOfTheControlPlaneAreTheDerivedOnes(t *testing.T) {
	packed, err := hex.DecodeString("76003c18adc5f20331f8a7c8fb6c36ecd32c4325e9a9dec6bb12d12a91e7b92887ebf2b5785dd317658f918754cec6d4527d0cc1f90a6224e062a356aa886966")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := Derive([]byte("0123456789abcdef0123456789abcdef"), "exp_1")
	if err != nil {
		t.Fatal(err)
	}
	if set, err := Unpack(packed, nil); err != nil || set != (Set{Current: keys}) {
		t.Errorf("unpacked %v, error %v, derived %v", set, err, keys)
	}
	if _, err := Unpack(packed[1:], nil); err == nil {
		t.Error("unpacked too few bytes")
	}
}
