package gobgp

import "fmt"

// raiseHopLimit lets callers that use GTSM over IPv6 receive our replies. gobgp sets the IPv4 TTL
// on listeners of both families, because it doesn't recognize "[::]:179" as an IPv6 address.
func raiseHopLimit(listens int) error {
	if listens == 0 {
		return nil
	}
	if err := setListenerHops(bgpPort, nearTTL); err != nil {
		return fmt.Errorf("set the hop limit of IPv6 listeners to %d: %w", nearTTL, err)
	}
	return nil
}
