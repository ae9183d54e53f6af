package keys

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
)

// hidden replaces a secret in output.
const hidden = "(secret)"

// Secret holds bytes that are never printed: not in errors, in logs, in JSON, or with any verb of
// fmt. A function holds them, because fmt prints the unexported fields of other types without calling methods,
// and with some verbs also what their pointers point to.
type Secret struct{ open func() []byte }

func hide(content []byte) Secret { return Secret{open: func() []byte { return content }} }

// reveal returns the bytes. Only formats, which write them to files and sockets, call it.
func (s Secret) reveal() []byte {
	if s.open == nil {
		return nil
	}
	return s.open()
}

// Equal reports whether both have the same bytes.
func (s Secret) Equal(other Secret) bool { return bytes.Equal(s.reveal(), other.reveal()) }

// Format implements fmt.Formatter for all verbs.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, hidden) }

// String implements fmt.Stringer.
func (s Secret) String() string { return hidden }

// GoString implements fmt.GoStringer.
func (s Secret) GoString() string { return hidden }

// MarshalText hides it from JSON and YAML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// LogValue hides it from logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// random returns a new secret.
func random() Secret {
	content := make([]byte, secretBytes)
	_, _ = rand.Read(content) // never fails
	return hide(content)
}
