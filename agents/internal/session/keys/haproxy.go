package keys

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// HAProxyRing is how many keys HAProxy holds, unless it was built with another TLS_TICKETS_NO.
const HAProxyRing = 3

// ErrReload is the error of keys that HAProxy gets only from its file: it has to be reloaded.
var ErrReload = errors.New("HAProxy must be reloaded to get these keys")

// HAProxy returns the file of tls-ticket-keys. HAProxy encrypts with the last key but one. A ring of three
// has room for few keys of other servers: the tickets of the rejected ones start with a full handshake here.
func HAProxy(path string, server Server, size int) (file File, rejected []Key) {
	ring := haproxyRing(server, size)
	for _, key := range server.Accept {
		if !holds(ring, key) {
			rejected = append(rejected, key)
		}
	}
	var lines strings.Builder
	for _, key := range ring {
		lines.WriteString(base64.StdEncoding.EncodeToString(key.bytes(secretBytes)) + "\n")
	}
	return File{Path: path, Content: hide([]byte(lines.String()))}, rejected
}

// replaceHAProxy writes the file if it differs. Without a size, a file keeps its number of keys.
func replaceHAProxy(path string, server Server, size int) (changed bool, err error) {
	if size == 0 {
		size = keysIn(path)
	}
	file, _ := HAProxy(path, server, size)
	return replace(file)
}

// keysIn returns how many keys a file for HAProxy has, with the limit of HAProxy's own IDs of slots.
func keysIn(path string) int {
	const most = 256
	content, err := os.ReadFile(path)
	if err != nil {
		return HAProxyRing
	}
	return min(max(len(bytes.Fields(content)), HAProxyRing), most)
}

// haproxyRing returns the keys in the order of the file. The last one is the server's next key or else its
// own again: at run time the last one becomes the encrypting one, and no other key may be that.
func haproxyRing(server Server, size int) []Key {
	last, rest := server.Own, make([]Key, 0, len(server.Accept))
	for _, key := range server.Accept {
		if isNext(server, key) {
			last = key
			continue
		}
		rest = append(rest, key)
	}
	size = max(size, HAProxyRing)
	rest = rest[:min(len(rest), size-2)]
	slices.Reverse(rest)
	ring := append(rest, server.Own, last)
	for len(ring) < size {
		ring = slices.Insert(ring, 0, server.Own)
	}
	return ring
}

func isNext(server Server, key Key) bool {
	return key.Server == server.ID && key.Epoch > server.Own.Epoch
}

func holds(ring []Key, key Key) bool { return slices.ContainsFunc(ring, key.Equal) }

// pushes returns the keys to add to HAProxy's ring, one after the other, so that it encrypts with the server's own
// key and accepts its other ones. Each key that is added removes the oldest. At no time may HAProxy
// encrypt with a key other than its previous one and the server's own: clients would go to another server.
func pushes(ring []Key, server Server) ([]Key, error) {
	if len(ring) < HAProxyRing {
		return nil, fmt.Errorf("a ring of %d keys: %w", len(ring), ErrReload)
	}
	var next []Key
	for _, key := range server.Accept {
		if isNext(server, key) && !holds(ring, key) {
			next = []Key{key}
		}
	}
	for own := range len(ring) + 1 {
		added := append(slices.Repeat([]Key{server.Own}, own), next...)
		if isSafe(ring, added, server) {
			return added, nil
		}
	}
	return nil, ErrReload
}

// isSafe reports whether a ring may get these keys, and is then as it should be.
func isSafe(ring, added []Key, server Server) bool {
	before := encrypting(ring)
	for _, key := range added {
		ring = append(slices.Clone(ring[1:]), key)
		if now := encrypting(ring); !now.Equal(before) && !now.Equal(server.Own) {
			return false
		}
	}
	for _, key := range server.Accept {
		if key.Server == server.ID && !holds(ring, key) {
			return false
		}
	}
	foreign := func(key Key) bool { return !holds(server.all(), key) }
	return encrypting(ring).Equal(server.Own) && !slices.ContainsFunc(ring, foreign)
}

func encrypting(ring []Key) Key { return ring[len(ring)-2] }
