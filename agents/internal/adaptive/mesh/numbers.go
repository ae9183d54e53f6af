package mesh

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// numberOf is short enough for datagrams, and the same at all nodes.
func numberOf(id string) uint64 {
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint64(sum[:])
}

// checkNumbers rejects IDs that can't be distinguished in datagrams.
func checkNumbers(what string, ids []string, number func(string) uint64) error {
	known := make(map[uint64]string, len(ids))
	for _, id := range ids {
		other, taken := known[number(id)]
		switch {
		case id == "":
			return fmt.Errorf("a %s has no ID", what)
		case taken && other == id:
			return fmt.Errorf("%s %s is given twice", what, id)
		case taken:
			return fmt.Errorf("%ss %s and %s have the same number in datagrams: create one of them again, with another ID", what, other, id)
		}
		known[number(id)] = id
	}
	return nil
}
