package bgp

// Secret is never printed: not in errors, not in logs, not with %v or %q.
type Secret string

// hidden stands in its place.
const hidden = "(secret)"

// String implements fmt.Stringer.
func (s Secret) String() string { return hidden }

// GoString implements fmt.GoStringer.
func (s Secret) GoString() string { return hidden }

// MarshalText hides it from JSON and from logs.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Reveal is for who must know it.
func (s Secret) Reveal() string { return string(s) }
