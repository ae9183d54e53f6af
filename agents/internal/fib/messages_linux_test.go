package fib

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// groupMessage is the kernel's message for a group with these members.
func groupMessage(packed []byte) []byte {
	message := header{}.Serialize()
	message = append(message, nl.NewRtAttr(unix.NHA_ID, nl.Uint32Attr(7)).Serialize()...)
	return append(message, nl.NewRtAttr(unix.NHA_GROUP, packed).Serialize()...)
}

func FuzzParseObject(f *testing.F) {
	f.Add(groupMessage([]byte{1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0}))
	f.Add(groupMessage([]byte{1, 0, 0}))
	f.Add(header{}.Serialize()[:5])
	f.Fuzz(func(t *testing.T, message []byte) {
		one, err := parseObject(message)
		if err == nil && 8*len(one.members) > len(message) {
			t.Fatalf("%d members in %d bytes", len(one.members), len(message))
		}
		packed := message[:len(message)/8*8]
		if one, err = parseObject(groupMessage(packed)); err != nil || len(one.members) != len(packed)/8 {
			t.Fatalf("of %d members %v, %v", len(packed)/8, one, err)
		}
	})
}

func FuzzParseRoute(f *testing.F) {
	ours := mark{owner: 217}
	f.Add(ours.request(unix.RTM_NEWROUTE, 0, netip.MustParsePrefix("203.0.113.0/24")).Serialize()[unix.SizeofNlMsghdr:])
	f.Add([]byte{2, 24})
	f.Fuzz(func(t *testing.T, message []byte) {
		if one, is, err := ours.parseRoute(message); is && (err != nil || !one.to.IsValid()) {
			t.Fatalf("%+v, %v", one, err)
		}
	})
}

func TestMembersOfAGroup(t *testing.T) {
	one, err := parseObject(groupMessage([]byte{1, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 9, 0, 0, 0}))
	if err != nil || one.id != 7 || !slices.Equal(one.members, []member{{1, 0}, {258, 9}}) {
		t.Errorf("%+v, %v", one, err)
	}
}
