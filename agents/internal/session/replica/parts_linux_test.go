package replica

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/cookie"
)

// inParts sends a hello in two parts, the first one first.
func (p *place) inParts(t *testing.T, of cookie.Connection, data []byte) {
	t.Helper()
	const syn, cut = 1000, 20
	baked := cookie.Bake(p.keys.Current.Cookie, of, syn, epochNow(t), cookie.Options{MSS: 1460, Scale: 7})
	p.pass(t, frameOf(of, syn+1, baked+1, flagACK, nil, data[:cut]))
	p.pass(t, frameOf(of, syn+1+cut, baked+1, flagACK, nil, data[cut:]))
}

// eventually waits until a count of the program is as it should be.
func (p *place) eventually(t *testing.T, is func(Counts) bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		counts, err := p.replica.Observe()
		must(t, err)
		if is(counts) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%+v", counts)
		}
	}
}

func TestPartsWithoutABackendDoNotComeBack(t *testing.T) {
	p := newPlace(t)
	must(t, p.set(false))
	p.inParts(t, connection4, forged("", "", ""))
	p.eventually(t, func(c Counts) bool { return c.New > 0 })
	for until := time.Now().Add(300 * time.Millisecond); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if counts, err := p.replica.Observe(); err != nil || counts.Parts > 2 || counts.New > 1 {
			t.Fatalf("the parts go round: %+v, %v", counts, err)
		}
	}
}
