package bgp

import (
	"cmp"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Place is where a route stands among all. It outlives the route: what comes after it is
// the same for a table that has changed.
type Place struct {
	Prefix netip.Prefix
	Rest   bool // not a best one
	Hop    netip.Addr
	From   netip.Addr
	Number uint32
}

// PlaceOf says where a route stands.
func PlaceOf(route Route) Place {
	return Place{Prefix: route.Prefix, Rest: !route.Best, Hop: route.NextHop, From: route.From, Number: route.Number}
}

// Compare sorts by prefix, then the best before the rest, then by next hop and peer.
func (p Place) Compare(other Place) int {
	return cmp.Or(
		ComparePrefixes(p.Prefix, other.Prefix), cmp.Compare(rank(p.Rest), rank(other.Rest)),
		p.Hop.Compare(other.Hop), p.From.Compare(other.From), cmp.Compare(p.Number, other.Number),
	)
}

func rank(rest bool) int {
	if rest {
		return 1
	}
	return 0
}

// ComparePrefixes sorts by address, and the wider before what lies inside.
func ComparePrefixes(a, b netip.Prefix) int {
	return cmp.Or(a.Addr().Compare(b.Addr()), cmp.Compare(a.Bits(), b.Bits()))
}

// String writes it for ParsePlace; the zero one is empty.
func (p Place) String() string {
	if p == (Place{}) {
		return ""
	}
	return fmt.Sprintf("%s,%d,%s,%s,%d", p.Prefix, rank(p.Rest), written(p.Hop), written(p.From), p.Number)
}

func written(address netip.Addr) string {
	if !address.IsValid() {
		return ""
	}
	return address.String()
}

// ParsePlace reads what String wrote.
func ParsePlace(text string) (place Place, err error) {
	if text == "" {
		return Place{}, nil
	}
	parts := strings.Split(text, ",")
	if len(parts) != 5 || parts[1] != "0" && parts[1] != "1" {
		return Place{}, fmt.Errorf("%q is no place in a table", text)
	}
	prefix, err := netip.ParsePrefix(parts[0])
	if err != nil {
		return Place{}, fmt.Errorf("%q is no place in a table: %w", text, err)
	}
	place = Place{Prefix: prefix, Rest: parts[1] == "1"}
	for i, address := range []*netip.Addr{&place.Hop, &place.From} {
		if parts[2+i] == "" {
			continue
		}
		if *address, err = netip.ParseAddr(parts[2+i]); err != nil {
			return Place{}, fmt.Errorf("%q is no place in a table: %w", text, err)
		}
	}
	number, err := strconv.ParseUint(parts[4], 10, 32)
	if err != nil {
		return Place{}, fmt.Errorf("%q is no place in a table: %w", text, err)
	}
	place.Number = uint32(number)
	return place, nil
}
