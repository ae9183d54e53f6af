package nftables

import (
	"encoding/binary"
	"math/bits"
)

// rowOf returns the row that the kernel's hash expression gives for a key, whose length
// is a multiple of four: jhash of linux/jhash.h, scaled.
func rowOf(key []byte, seed, rows uint32) uint32 {
	return uint32(uint64(jenkins(key, seed)) * uint64(rows) >> 32)
}

func jenkins(key []byte, seed uint32) uint32 {
	a := 0xdeadbeef + uint32(len(key)) + seed
	b, c := a, a
	for ; len(key) > 12; key = key[12:] {
		a, b, c = mix(a+word(key, 0), b+word(key, 4), c+word(key, 8))
	}
	a, b, c = a+word(key, 0), b+word(key, 4), c+word(key, 8)
	c ^= b
	c -= bits.RotateLeft32(b, 14)
	a ^= c
	a -= bits.RotateLeft32(c, 11)
	b ^= a
	b -= bits.RotateLeft32(a, 25)
	c ^= b
	c -= bits.RotateLeft32(b, 16)
	a ^= c
	a -= bits.RotateLeft32(c, 4)
	b ^= a
	b -= bits.RotateLeft32(a, 14)
	c ^= b
	c -= bits.RotateLeft32(b, 24)
	return c
}

func mix(a, b, c uint32) (x, y, z uint32) {
	a -= c
	a ^= bits.RotateLeft32(c, 4)
	c += b
	b -= a
	b ^= bits.RotateLeft32(a, 6)
	a += c
	c -= b
	c ^= bits.RotateLeft32(b, 8)
	b += a
	a -= c
	a ^= bits.RotateLeft32(c, 16)
	c += b
	b -= a
	b ^= bits.RotateLeft32(a, 19)
	a += c
	c -= b
	c ^= bits.RotateLeft32(b, 4)
	b += a
	return a, b, c
}

// word returns four bytes of a key, or 0 after its end.
func word(key []byte, at int) uint32 {
	if at >= len(key) {
		return 0
	}
	return binary.LittleEndian.Uint32(key[at:])
}
