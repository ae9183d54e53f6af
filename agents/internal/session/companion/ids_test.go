package companion

import (
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/session/message"
)

func TestReplicasGetAllIDsThatFit(t *testing.T) {
	one, all := netip.MustParseAddrPort("192.0.2.1:443"), newIDs()
	if some := all.after(one, 0); some.Kind != message.SessionIDs || some.Last != all.first || some.Before != all.first || some.IDs != nil {
		t.Errorf("before the first: %+v", some)
	}
	const more = 100
	for i := range idsMost + more {
		all.add(one, [message.IDBytes]byte{byte(i), byte(i >> 8), byte(i >> 16)})
	}
	got, number := 0, uint64(0)
	for {
		some := all.after(one, number)
		if len(some.IDs) == 0 {
			break
		}
		if first := some.Last - uint64(len(some.IDs)); number == 0 && first != some.Before {
			t.Fatalf("the first are those after %d, not after %d", first, some.Before)
		}
		for _, id := range some.IDs {
			if i := int(id[0]) | int(id[1])<<8 | int(id[2])<<16; i != got+more {
				t.Fatalf("id %d at place %d", i, got)
			}
			got++
		}
		number = some.Last
	}
	if got != idsMost {
		t.Errorf("%d ids", got)
	}
}

func TestIDsOfFormerServicesAreForgotten(t *testing.T) {
	one, other, all := netip.MustParseAddrPort("192.0.2.1:443"), netip.MustParseAddrPort("192.0.2.2:443"), newIDs()
	all.add(one, [message.IDBytes]byte{1})
	all.add(other, [message.IDBytes]byte{2})
	all.keep([]Service{{Address: other}})
	if len(all.of) != 1 || len(all.after(one, 0).IDs) != 0 || len(all.after(other, 0).IDs) != 1 {
		t.Errorf("ids of %d services", len(all.of))
	}
}
