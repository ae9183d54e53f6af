package balancer

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// serverNamesMost is the limit for one backend.
const serverNamesMost = 16

// serverName matches the DNS names that a TLS client can request. Underscores are
// allowed.
var serverName = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$`)

// parseServerNames normalizes names to the form that clients' names are compared in.
func parseServerNames(names []string) ([]string, error) {
	if len(names) > serverNamesMost {
		return nil, fmt.Errorf("%d server names are too many; give at most %d", len(names), serverNamesMost)
	}
	var parsed []string
	for _, name := range names {
		small := strings.TrimSuffix(strings.ToLower(name), ".")
		if len(small) > textMost || !serverName.MatchString(small) {
			return nil, fmt.Errorf("server name %q is invalid; give a host name such as shop-0.example.com", name)
		}
		if _, err := netip.ParseAddr(small); err == nil {
			return nil, fmt.Errorf("server name %q is an address, which no client requests by name; give a host name", name)
		}
		parsed = append(parsed, small)
	}
	slices.Sort(parsed)
	return slices.Compact(parsed), nil
}
