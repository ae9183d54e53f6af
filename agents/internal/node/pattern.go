package node

import "strings"

// matchesPattern reports whether a pattern such as "veth*" matches an interface: a star matches any
// text, other characters themselves. The control plane must agree; testdata/interface-patterns.json
// tests both.
func matchesPattern(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	first, rest := parts[0], parts[1:]
	if len(rest) == 0 {
		return name == pattern
	}
	name, begins := strings.CutPrefix(name, first)
	if !begins {
		return false
	}
	last := len(rest) - 1
	for _, part := range rest[:last] {
		_, after, found := strings.Cut(name, part)
		if !found {
			return false
		}
		name = after
	}
	return strings.HasSuffix(name, rest[last])
}
