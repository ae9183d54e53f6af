package cookie

import (
	"encoding/binary"
	"math/bits"
)

// Key is one of SipHash.
type Key [2]uint64

// sipHash is SipHash-2-4.
func sipHash(key Key, message []byte) uint64 {
	state := newSip(key)
	last := uint64(len(message)) << 56
	for ; len(message) >= 8; message = message[8:] {
		state.add(binary.LittleEndian.Uint64(message))
	}
	for i, b := range message {
		last |= uint64(b) << (8 * i)
	}
	return state.sum(last)
}

// sip is the state of SipHash. A copy continues on its own.
type sip [4]uint64

func newSip(key Key) sip {
	return sip{key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573}
}

func (v *sip) add(word uint64) {
	v[3] ^= word
	round(v)
	round(v)
	v[0] ^= word
}

// sum adds the last word, which has the length.
func (v *sip) sum(last uint64) uint64 {
	v.add(last)
	v[2] ^= 0xff
	for range 4 {
		round(v)
	}
	return v[0] ^ v[1] ^ v[2] ^ v[3]
}

func round(v *sip) {
	v[0] += v[1]
	v[1] = bits.RotateLeft64(v[1], 13) ^ v[0]
	v[0] = bits.RotateLeft64(v[0], 32)
	v[2] += v[3]
	v[3] = bits.RotateLeft64(v[3], 16) ^ v[2]
	v[0] += v[3]
	v[3] = bits.RotateLeft64(v[3], 21) ^ v[0]
	v[2] += v[1]
	v[1] = bits.RotateLeft64(v[1], 17) ^ v[2]
	v[2] = bits.RotateLeft64(v[2], 32)
}
