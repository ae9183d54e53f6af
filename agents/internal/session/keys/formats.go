package keys

import (
	"encoding/json"
	"fmt"
	"slices"
)

const (
	// shortSecretBytes is what Node uses: 16 bytes for HMAC and 16 for AES-128.
	shortSecretBytes = 32
	envoySecretType  = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret"
)

// Node returns the file for Node: the 48 bytes of the option ticketKeys and of setTicketKeys. Node has
// one key and accepts no other: sessions of other servers, and after a rotation its own earlier ones, start
// with a full handshake. These keys are also returned.
func Node(path string, server Server) (file File, rejected []Key) {
	return File{Path: path, Content: hide(server.Own.bytes(shortSecretBytes))}, server.Accept
}

// Go returns a file for applications in Go: for each key 48 bytes, its name and a key for
// SetSessionTicketKeys, the server's own first.
func Go(path string, server Server) File {
	var content []byte
	for _, key := range server.all() {
		content = append(content, key.bytes(shortSecretBytes)...)
	}
	return File{Path: path, Content: hide(content)}
}

// Envoy returns the file for a path_config_source of Envoy's session_ticket_keys_sds_secret_config: keys of 80
// bytes, the server's own first. Envoy reads it again whenever it is replaced.
func Envoy(path, resource string, server Server) (File, error) {
	type inline struct {
		Bytes []byte `json:"inline_bytes"`
	}
	type list struct {
		Keys []inline `json:"keys"`
	}
	type secret struct {
		Type string `json:"@type"`
		Name string `json:"name"`
		Keys list   `json:"session_ticket_keys"`
	}
	one := secret{Type: envoySecretType, Name: resource}
	for _, key := range server.all() {
		one.Keys.Keys = append(one.Keys.Keys, inline{Bytes: key.bytes(secretBytes)})
	}
	text, err := json.Marshal(map[string][]secret{"resources": {one}})
	if err != nil {
		return File{}, fmt.Errorf("encode ticket keys for Envoy: %w", err)
	}
	return File{Path: path, Content: hide(slices.Concat(text, []byte("\n")))}, nil
}
