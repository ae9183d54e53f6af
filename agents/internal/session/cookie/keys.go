package cookie

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Keys are those of one exposure.
type Keys struct {
	Cookie  Key
	Mask    Key      // of the timestamps by which a replica finds a connection's backend
	Message [32]byte // of what replicas and companions send each other
}

// Set is the keys in use. Cookies and messages of the previous ones are still accepted, so
// that all hosts need not change at the same moment.
type Set struct{ Current, Previous Keys }

// Accepted returns both. Without previous ones the current ones are there twice: anyone can
// calculate a cookie of an empty key.
func (s Set) Accepted() [2]Keys {
	if s.Previous == (Keys{}) {
		return [2]Keys{s.Current, s.Current}
	}
	return [2]Keys{s.Current, s.Previous}
}

// Messages returns the accepted keys of messages.
func (s Set) Messages() (keys [2][32]byte) {
	for i, one := range s.Accepted() {
		keys[i] = one.Message
	}
	return keys
}

// Check rejects empty keys.
func (s Set) Check() error {
	if s.Current == (Keys{}) {
		return errors.New("the keys are empty; derive them from the cluster's key")
	}
	return nil
}

const clusterKeyLeast = 16

// Derive returns the keys of an exposure, so that one that leaks is of no use for others.
func Derive(clusterKey []byte, exposure string) (Keys, error) {
	if len(clusterKey) < clusterKeyLeast {
		return Keys{}, fmt.Errorf("derive the keys of exposure %s: the cluster's key has %d bytes; give %d or more", exposure, len(clusterKey), clusterKeyLeast)
	}
	const size = 16
	out, err := hkdf.Key(sha256.New, clusterKey, nil, "fairlead session "+exposure, 2*size+32)
	if err != nil {
		return Keys{}, fmt.Errorf("derive the keys of exposure %s: %w", exposure, err)
	}
	keys := Keys{Cookie: keyOf(out), Mask: keyOf(out[size:])}
	copy(keys.Message[:], out[2*size:])
	return keys, nil
}

func keyOf(bytes []byte) Key {
	return Key{binary.LittleEndian.Uint64(bytes), binary.LittleEndian.Uint64(bytes[8:])}
}
