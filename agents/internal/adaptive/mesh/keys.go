package mesh

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
)

// KeyBytes is the size of a key.
const KeyBytes = 32

// Keys are those of the cluster, from the control plane. Datagrams of the previous key are still
// accepted; it is zero if there is none.
type Keys struct {
	Current, Previous [KeyBytes]byte
}

// signer signs datagrams from one node to another, and to no other: what is recorded between two
// nodes is invalid between others, and in the other direction. It belongs to one goroutine.
type signer struct {
	mac hash.Hash
	sum [sha256.Size]byte
}

// newSigner returns nil without a key.
func newSigner(key [KeyBytes]byte, from, to string) *signer {
	if key == [KeyBytes]byte{} {
		return nil
	}
	both := hmac.New(sha256.New, key[:])
	first, second := sha256.Sum256([]byte(from)), sha256.Sum256([]byte(to))
	_, _ = both.Write([]byte("fairlead mesh"))
	_, _ = both.Write(first[:])
	_, _ = both.Write(second[:])
	return &signer{mac: hmac.New(sha256.New, both.Sum(nil))}
}

// sign returns the MAC until the next call.
func (s *signer) sign(content []byte) []byte {
	s.mac.Reset()
	_, _ = s.mac.Write(content)
	return s.mac.Sum(s.sum[:0])[:macBytes]
}

// signed reports whether the datagram ends in the MAC of what precedes it.
func (s *signer) signed(datagram []byte) bool {
	end := len(datagram) - macBytes
	return s != nil && hmac.Equal(datagram[end:], s.sign(datagram[:end]))
}
