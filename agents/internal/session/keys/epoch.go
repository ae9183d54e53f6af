package keys

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"slices"

	"fairlead.dev/agents/internal/session/names"
)

// secretBytes is the largest size that servers use: 32 bytes for HMAC and 32 for AES-256.
const secretBytes = 64

// Epoch is the time between two rotations: one secret, and the names that follow from it.
type Epoch struct {
	Number uint64
	secret Secret
}

// NewEpoch returns an epoch with a random secret.
func NewEpoch(number uint64) Epoch { return Epoch{Number: number, secret: random()} }

// Name returns a server's name. It is derived, so that a server that is added later needs no new
// secret. It reveals nothing about the secret.
func (e Epoch) Name(server string) names.Name {
	name, err := hkdf.Key(sha256.New, e.secret.reveal(), nil, "fairlead ticket name "+server, names.Bytes)
	if err != nil { // only if the size were too large
		panic(fmt.Sprintf("derive the name of a ticket key: %v", err))
	}
	return names.Name(name)
}

func (e Epoch) key(server string) Key {
	return Key{Server: server, Epoch: e.Number, Name: e.Name(server), secret: e.secret}
}

// Key is a name with the secret of its epoch.
type Key struct {
	Server string
	Epoch  uint64
	Name   names.Name
	secret Secret
}

// NewKey returns a key that the control plane derived. Its errors don't contain it.
func NewKey(server string, epoch uint64, name, secret []byte) (Key, error) {
	if len(name) != names.Bytes {
		return Key{}, fmt.Errorf("the name of a ticket key has %d bytes; give %d", len(name), names.Bytes)
	}
	if len(secret) != secretBytes {
		return Key{}, fmt.Errorf("the secret of a ticket key has %d bytes; give %d", len(secret), secretBytes)
	}
	return Key{Server: server, Epoch: epoch, Name: names.Name(name), secret: hide(bytes.Clone(secret))}, nil
}

// Equal reports whether both are the same key.
func (k Key) Equal(other Key) bool { return k.Name == other.Name && k.secret.Equal(other.secret) }

// bytes returns the name and as much of the secret as the server uses.
func (k Key) bytes(secret int) []byte { return slices.Concat(k.Name[:], k.secret.reveal()[:secret]) }

// Server has the keys of one server: it encrypts with its own key, and accepts tickets of the others. Formats
// with room for only some of those take the first ones.
type Server struct {
	ID     string
	Own    Key
	Accept []Key
}

// For returns a server's keys. The first epoch's is its own key. Its keys of the other epochs are the
// first that it accepts, because its clients have these tickets; then those of the other servers, by epoch.
func For(server string, servers []string, epochs ...Epoch) Server {
	keys := Server{ID: server, Own: epochs[0].key(server)}
	for _, epoch := range epochs[1:] {
		keys.Accept = append(keys.Accept, epoch.key(server))
	}
	for _, epoch := range epochs {
		for _, other := range servers {
			if other != server {
				keys.Accept = append(keys.Accept, epoch.key(other))
			}
		}
	}
	return keys
}

// Equal reports whether both servers have the same keys.
func (s Server) Equal(other Server) bool {
	return s.ID == other.ID && slices.EqualFunc(s.all(), other.all(), Key.Equal)
}

// all returns the keys, the own one first.
func (s Server) all() []Key { return append([]Key{s.Own}, s.Accept...) }
