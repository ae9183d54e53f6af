package nexthop

import (
	"slices"
	"testing"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// groupMessage is what the kernel says of a group with these members.
func groupMessage(packed []byte) []byte {
	message := header{}.Serialize()
	message = append(message, nl.NewRtAttr(unix.NHA_ID, nl.Uint32Attr(7)).Serialize()...)
	return append(message, nl.NewRtAttr(unix.NHA_GROUP, packed).Serialize()...)
}

func FuzzParseGroup(f *testing.F) {
	f.Add(groupMessage([]byte{1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0}))
	f.Add(groupMessage([]byte{1, 0, 0}))
	f.Add(header{}.Serialize()[:5])
	f.Fuzz(func(t *testing.T, message []byte) {
		ids, err := parseGroup(message)
		if err == nil && 8*len(ids) > len(message) {
			t.Fatalf("%d members in %d bytes", len(ids), len(message))
		}
		packed := message[:len(message)/8*8]
		if ids, err = parseGroup(groupMessage(packed)); err != nil || len(ids) != len(packed)/8 {
			t.Fatalf("of %d members %v, %v", len(packed)/8, ids, err)
		}
	})
}

func TestMembersOfAGroup(t *testing.T) {
	ids, err := parseGroup(groupMessage([]byte{1, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 9, 0, 0, 0}))
	if err != nil || !slices.Equal(ids, []uint32{1, 258}) {
		t.Errorf("%v, %v", ids, err)
	}
}
