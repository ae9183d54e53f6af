package mesh

import (
	"testing"
	"time"
)

func TestADatagramIsOnlyValidFromItsSenderToItsReceiver(t *testing.T) {
	const now = time.Hour
	other := [KeyBytes]byte{9}
	node := func(self string, keys Keys) *Mesh {
		m := newTestMesh(t, loopback)
		m.now = func() time.Duration { return now }
		peers := []Peer{}
		for _, id := range []string{"a", "b", "c"} {
			if id != self {
				peers = append(peers, Peer{Node: id})
			}
		}
		m.replace(Spec{Self: self, Keys: keys, Peers: peers})
		return m
	}
	datagram := func(key [KeyBytes]byte, from, to string) []byte {
		h := header{sender: numberOf(from), incarnation: 1, number: 1, sent: now}
		content := h.append(nil)
		return append(content, newSigner(key, from, to).sign(content)...)
	}
	changed := datagram(keys.Current, "b", "a")
	changed[len(changed)-macBytes-1] ^= 1
	for _, test := range []struct {
		name     string
		keys     Keys
		datagram []byte
		want     Reason
	}{
		{"with the key", keys, datagram(keys.Current, "b", "a"), Hello},
		{"with the previous key", Keys{other, keys.Current}, datagram(keys.Current, "b", "a"), Hello},
		{"with another key", Keys{Current: other}, datagram(keys.Current, "b", "a"), Forged},
		{"without a previous key", keys, datagram([KeyBytes]byte{1}, "b", "a"), Forged},
		{"changed on the way", keys, changed, Forged},
		{"for another node", keys, datagram(keys.Current, "b", "c"), Forged},
		{"in the name of another node", keys, datagram(keys.Current, "c", "b"), Forged},
		{"of this node itself", keys, datagram(keys.Current, "a", "b"), Unknown},
		{"of a node that isn't a peer", keys, datagram(keys.Current, "d", "a"), Unknown},
		{"of another protocol", keys, []byte("GET / HTTP/1.1"), Malformed},
	} {
		m := node("a", test.keys)
		m.take(test.datagram, nil, 0)
		var want Counts
		want[test.want] = 1
		if got := m.Counters().Received; got != want {
			t.Errorf("%s: received %v, want one %s", test.name, got, test.want)
		}
	}
	if newSigner([KeyBytes]byte{}, "a", "b").signed(changed) {
		t.Error("the absent key signs")
	}
}
