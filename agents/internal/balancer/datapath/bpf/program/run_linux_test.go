package program

import (
	"bytes"
	"slices"
	"testing"
)

// Two interfaces may lead to stations with the same link address.
func TestAFrameIsOfABackendWithBothLinkAddresses(t *testing.T) {
	backend := BackendEntry{To: [6]uint8{2, 0, 0, 0, 0, 1}, From: [6]uint8{2, 0, 0, 0, 0, 2}, Flags: BackendResolved}
	own := slices.Concat(backend.To[:], backend.From[:], []byte{8, 0})
	other := bytes.Clone(own)
	other[11]++
	unresolved := backend
	unresolved.Flags = 0
	for name, c := range map[string]struct {
		frame   []byte
		backend BackendEntry
		want    bool
	}{
		"both are equal":      {own, backend, true},
		"from another":        {other, backend, false},
		"to another":          {append([]byte{4}, own[1:]...), backend, false},
		"cut off":             {own[:11], backend, false},
		"nothing was sent":    {nil, backend, false},
		"address isn't known": {own, unresolved, false},
	} {
		if got := IsTo(c.frame, c.backend); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
