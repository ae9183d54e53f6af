package cookie

import (
	"math/rand/v2"
	"testing"
)

func TestAConnectionIsRecognizedByALaterPartOfItsHello(t *testing.T) {
	const most, epoch = 16 << 10, 1000
	set := Set{Current: keysOf(t, "0123456789abcdef"), Previous: keysOf(t, "fedcba9876543210")}
	for _, of := range []Connection{connection, six} {
		for i, key := range []Key{set.Current.Cookie, set.Previous.Cookie} {
			for _, before := range []uint32{0, 1, 1460, most - 1} {
				for _, at := range []uint32{epoch - 1, epoch, epoch + 1} {
					const syn = 0xffffff00
					baked := Bake(key, of, syn, at, Options{MSS: 1460, Scale: 7, SACK: true})
					if !Began(set, of, syn+1+before, epoch, baked, most) {
						t.Errorf("key %d, %d bytes later, epoch %d: not recognized", i, before, at)
					}
				}
			}
			if baked := Bake(key, of, 17, epoch, Options{}); Began(set, of, 17+1+4*most, epoch, baked, most) {
				t.Error("recognized too late")
			}
		}
	}
}

func TestFewOtherConnectionsLookAsIfTheyBegan(t *testing.T) {
	set := Set{Current: keysOf(t, "0123456789abcdef")}
	random, hits := rand.New(rand.NewPCG(1, 2)), 0
	const tries = 200
	for range tries {
		if Began(set, connection, random.Uint32(), 1000, random.Uint32(), 16<<10) {
			hits++
		}
	}
	if hits > tries/20 {
		t.Errorf("%d of %d", hits, tries)
	}
}

func BenchmarkBegan(b *testing.B) {
	set := Set{Current: keysOf(b, "0123456789abcdef"), Previous: keysOf(b, "fedcba9876543210")}
	for b.Loop() {
		Began(set, connection, 17, 1000, 0x42c4d57e, 16<<10)
	}
}
