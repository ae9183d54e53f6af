package cookie

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
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
