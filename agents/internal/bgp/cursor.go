package bgp

import (
	"cmp"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Cursor is a position in the sorted table. It stays valid when its route is removed: the routes
// after it are the same.
type Cursor struct {
	Prefix netip.Prefix
	Rest   bool // not a best route
	Hop    netip.Addr
	From   netip.Addr
	PathID uint32
}

// CursorOf returns the position of a route.
func CursorOf(route Route) Cursor {
	return Cursor{Prefix: route.Prefix, Rest: !route.Best, Hop: route.NextHop, From: route.From, PathID: route.PathID}
}

// Compare sorts by prefix, then best routes first, then by next hop and peer.
func (p Cursor) Compare(other Cursor) int {
	return cmp.Or(
		ComparePrefixes(p.Prefix, other.Prefix), cmp.Compare(rank(p.Rest), rank(other.Rest)),
		p.Hop.Compare(other.Hop), p.From.Compare(other.From), cmp.Compare(p.PathID, other.PathID),
	)
}

func rank(rest bool) int {
	if rest {
		return 1
	}
	return 0
}

// ComparePrefixes sorts by address, and wider prefixes before those inside them.
func ComparePrefixes(a, b netip.Prefix) int {
	return cmp.Or(a.Addr().Compare(b.Addr()), cmp.Compare(a.Bits(), b.Bits()))
}

// String formats the cursor for ParseCursor; the zero value is empty.
func (p Cursor) String() string {
	if p == (Cursor{}) {
		return ""
	}
	return fmt.Sprintf("%s,%d,%s,%s,%d", p.Prefix, rank(p.Rest), textOrEmpty(p.Hop), textOrEmpty(p.From), p.PathID)
}

func textOrEmpty(address netip.Addr) string {
	if !address.IsValid() {
		return ""
	}
	return address.String()
}

// ParseCursor reads what String wrote.
func ParseCursor(text string) (cursor Cursor, err error) {
	if text == "" {
		return Cursor{}, nil
	}
	parts := strings.Split(text, ",")
	if len(parts) != 5 || parts[1] != "0" && parts[1] != "1" {
		return Cursor{}, fmt.Errorf("%q is not a valid cursor", text)
	}
	prefix, err := netip.ParsePrefix(parts[0])
	if err != nil {
		return Cursor{}, fmt.Errorf("%q is not a valid cursor: %w", text, err)
	}
	cursor = Cursor{Prefix: prefix, Rest: parts[1] == "1"}
	for i, address := range []*netip.Addr{&cursor.Hop, &cursor.From} {
		if parts[2+i] == "" {
			continue
		}
		if *address, err = netip.ParseAddr(parts[2+i]); err != nil {
			return Cursor{}, fmt.Errorf("%q is not a valid cursor: %w", text, err)
		}
	}
	number, err := strconv.ParseUint(parts[4], 10, 32)
	if err != nil {
		return Cursor{}, fmt.Errorf("%q is not a valid cursor: %w", text, err)
	}
	cursor.PathID = uint32(number)
	return cursor, nil
}
