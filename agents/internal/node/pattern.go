package node

import "strings"

// matchesPattern says whether a pattern such as "veth*" names an interface: a
// star stands for any text, everything else for itself. The control plane reads
// patterns in the same way; testdata/interface-patterns.json holds both to it.
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
