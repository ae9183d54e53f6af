package lab

import (
	"net/netip"
	"testing"
)

func TestALinkAddressDependsOnTheAddressAlone(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{"10.64.1.1", "10.64.1.2", "10.64.2.1", "fd64::1:1", "fd64::1:2"} {
		link := linkAddress(netip.MustParseAddr(text))
		if again := linkAddress(netip.MustParseAddr(text)); again.String() != link.String() {
			t.Errorf("%s: %s, then %s", text, link, again)
		}
		if len(link) != 6 || link[0]&3 != 2 {
			t.Errorf("%s: %s is no local address of one link", text, link)
		}
		if other, is := seen[link.String()]; is {
			t.Errorf("%s and %s share %s", text, other, link)
		}
		seen[link.String()] = text
	}
}
