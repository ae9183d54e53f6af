package companion

import (
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/session/message"
)

func TestReplicasGetAllIDsThatFit(t *testing.T) {
	one, all := netip.MustParseAddrPort("192.0.2.1:443"), newIDs()
	if last, some := all.after(one, 0); last != 0 || some != nil {
		t.Errorf("%d ids before the first", len(some))
	}
	const more = 100
	for i := range idsMost + more {
		all.add(one, [message.IDBytes]byte{byte(i), byte(i >> 8), byte(i >> 16)})
	}
	got, number := 0, uint64(0)
	for {
		last, some := all.after(one, number)
		if len(some) == 0 {
			break
		}
		for _, id := range some {
			if i := int(id[0]) | int(id[1])<<8 | int(id[2])<<16; i != got+more {
				t.Fatalf("id %d at place %d", i, got)
			}
			got++
		}
		number = last
	}
	if got != idsMost {
		t.Errorf("%d ids", got)
	}
}
