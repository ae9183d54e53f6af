package agent

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fairlead.dev/agents/internal/atomicfile"
)

const (
	sealKeyFile  = "config.key"
	sealKeyBytes = 32
	sealKeyMost  = 4096
)

var errSealKey = errors.New("the last good config can't be decrypted")

// sealKey is the file with the key of the last good config. The agent creates its own one. It protects copies of the config
// that don't have the key with them, not against who reads both.
type sealKey struct {
	path  string
	isOwn bool
}

// newSealKey returns the agent's own key, unless a file is given.
func newSealKey(folder, given string) sealKey {
	if given != "" {
		return sealKey{path: given}
	}
	return sealKey{path: filepath.Join(folder, sealKeyFile), isOwn: true}
}

func (k sealKey) read() ([]byte, error) {
	key, err := readAtMost(k.path, sealKeyMost)
	if err == nil && len(key) < sealKeyBytes {
		err = fmt.Errorf("%s has %d bytes; a key has %d or more", k.path, len(key), sealKeyBytes)
	}
	return key, err
}

// toOpen needs a key that exists.
func (k sealKey) toOpen() (cipher.AEAD, error) {
	key, err := k.read()
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: its key %s doesn't exist", errSealKey, k.path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: read its key: %w", errSealKey, err)
	}
	return aeadOf(key)
}

// toSeal creates a key of its own if there is none. One that can't be read at the moment stays: a new one would make the last
// good config unreadable.
func (k sealKey) toSeal() (cipher.AEAD, error) {
	key, err := k.read()
	if k.isOwn && errors.Is(err, os.ErrNotExist) {
		key = make([]byte, sealKeyBytes)
		_, _ = rand.Read(key) // never fails
		err = atomicfile.Write(k.path, key, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("key of the last good config: %w: %s", err, k.cure())
	}
	return aeadOf(key)
}

// cure is what to do about a key that can't be read.
func (k sealKey) cure() string {
	if k.isOwn {
		return fmt.Sprintf("repair or delete %s; if it is deleted, the agent creates another key for the next config", k.path)
	}
	return fmt.Sprintf("give the agent a key of %d bytes or more that it can read at %s", sealKeyBytes, k.path)
}

func aeadOf(secret []byte) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "fairlead last good config", sealKeyBytes)
	if err != nil {
		return nil, fmt.Errorf("derive the key of the last good config: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("use the key of the last good config: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}
