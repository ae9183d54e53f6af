package bgp

// Secret is never printed: not in errors, in logs, or with %v or %q.
type Secret string

// hidden replaces a secret in output.
const hidden = "(secret)"

// String implements fmt.Stringer.
func (s Secret) String() string { return hidden }

// GoString implements fmt.GoStringer.
func (s Secret) GoString() string { return hidden }

// MarshalText hides it from JSON and from logs.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Reveal returns the secret itself.
func (s Secret) Reveal() string { return string(s) }
