package gobgp

import "fmt"

// reachNear has callers over IPv6 who guard themselves by GTSM hear our answer. gobgp means to, and sets the TTL of IPv4
// on listeners of both families, since it takes "[::]:179" for no address of IPv6.
func reachNear(listens int) error {
	if listens == 0 {
		return nil
	}
	if err := raiseHops(bgpPort, nearTTL); err != nil {
		return fmt.Errorf("answer callers over IPv6 with the hop limit %d: %w", nearTTL, err)
	}
	return nil
}
