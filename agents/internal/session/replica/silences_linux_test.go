package replica

import "testing"

func TestACompanionIsSilentIfNoSearchForASecondWasAnswered(t *testing.T) {
	all, of := silences{}, ofBackend{backend: "a"}
	if all.has(of) {
		t.Error("one that was never queried")
	}
	for range 100 { // as of clients that return at the same time
		all.add(of, now)
		all.add(of, now.Add(silentSpan-1))
	}
	if all.has(of) || all.has(ofBackend{backend: "b"}) {
		t.Error("one that was slow for less than a second, or another one")
	}
	all.add(of, now.Add(silentSpan))
	if all.add(of, now); !all.has(of) {
		t.Error("one that hasn't answered for a second")
	}
	if delete(all, of); all.has(of) {
		t.Error("one that answered")
	}
}
