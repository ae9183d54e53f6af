package cookie

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Keys are those of one exposure.
type Keys struct {
	Cookie  Key
	Mask    Key      // of the timestamps by which a replica finds a connection's backend
	Message [32]byte // of what replicas and companions send each other
}

// Format writes no key, whatever the verb: keys must not get into logs and errors.
func (Keys) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, "(keys)") }

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
	out, err := hkdf.Key(sha256.New, clusterKey, nil, "fairlead session "+exposure, keysBytes)
	if err != nil {
		return Keys{}, fmt.Errorf("derive the keys of exposure %s: %w", exposure, err)
	}
	return unpack(out), nil
}

const (
	keyBytes  = 16
	keysBytes = 2*keyBytes + 32
)

// Unpack returns the keys that a control plane has derived. Without previous ones, previous is empty.
func Unpack(current, previous []byte) (set Set, err error) {
	if len(current) != keysBytes || len(previous) != 0 && len(previous) != keysBytes {
		return Set{}, fmt.Errorf("the keys have %d and %d bytes; give %d each, or no previous ones", len(current), len(previous), keysBytes)
	}
	set.Current = unpack(current)
	if len(previous) > 0 {
		set.Previous = unpack(previous)
	}
	return set, set.Check()
}

func unpack(bytes []byte) Keys {
	keys := Keys{Cookie: keyOf(bytes), Mask: keyOf(bytes[keyBytes:])}
	copy(keys.Message[:], bytes[2*keyBytes:])
	return keys
}

func keyOf(bytes []byte) Key {
	return Key{binary.LittleEndian.Uint64(bytes), binary.LittleEndian.Uint64(bytes[8:])}
}
