package replica

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/hello"
	"fairlead.dev/agents/internal/session/cookie"
)

// afterSYN returns a packet of a client that got the answer to its SYN, some bytes after that.
func (p *place) afterSYN(t *testing.T, of cookie.Connection, syn, bytes uint32, options, data []byte) []byte {
	t.Helper()
	baked := cookie.Bake(p.keys.Current.Cookie, of, syn, epochNow(t), cookie.Options{MSS: 1460, Scale: 7})
	return frameOf(of, syn+1+bytes, baked+1, flagACK, options, data)
}

func keyOf(of cookie.Connection) (datapath.Key, program.FlowKey) {
	key := datapath.Key{Address: of.Service.Addr(), Port: of.Service.Port(), Protocol: datapath.TCP}
	return key, program.ToFlowKey(key, of.Client)
}

func (p *place) entry(t *testing.T, of cookie.Connection) (entry program.FlowEntry) {
	t.Helper()
	_, flow := keyOf(of)
	must(t, p.replica.joint.Maps[program.TcxMapConnections].Lookup(flow, &entry))
	return entry
}

// Anyone can forge a SYN.
func TestASYNOnTheirPortsEndsNoConnection(t *testing.T) {
	p := newPlace(t)
	for _, of := range []cookie.Connection{connection4, connection6} {
		p.pass(t, p.afterSYN(t, of, 1000, 0, nil, forged(string(nameA[:])+"...", "", "")))
		p.pass(t, frameOf(of, 50000, 0, flagSYN, nil, nil))
		if got := p.entry(t, of); got.Flags&uint8(program.TcxFlowFlagsCLOSING) != 0 {
			t.Errorf("%v: the connection counts as ended", of)
		}
		p.pass(t, p.afterSYN(t, of, 1000, 600, nil, []byte("more")))
		if got := p.entry(t, of); got.Syn != [3]uint8{} {
			t.Errorf("%v: its packets don't take the short way again", of)
		}
		p.pass(t, frameOf(of, 90000, 0, flagSYN, nil, nil))
		p.pass(t, p.afterSYN(t, of, 90000, 0, nil, forged(string(nameB[:])+"...", "", "")))
		key, _ := keyOf(of)
		if at, _ := p.replica.joint.PlaceOf(key, "b"); p.entry(t, of).Slot != at.Slot {
			t.Errorf("%v: the next connection isn't at its backend", of)
		}
	}
}

func TestAnIncompleteHelloKeepsNoOtherConnection(t *testing.T) {
	p := newPlace(t)
	if hello.Most != int(program.SessionSessionLimitsHELLO_MOST) {
		t.Error("a hello has another limit in C")
	}
	begin := func() { p.pass(t, p.afterSYN(t, connection4, 1000, 0, nil, forged("", "", "")[:20])) }
	begin()
	p.eventually(t, func(c Counts) bool { return c.Parts == 1 })
	p.pass(t, p.afterSYN(t, connection4, 1000, 1<<20, nil, []byte("data of an earlier connection")))
	if counts, err := p.replica.Observe(); err != nil || counts.Parts != 1 || counts.Questions == 0 { // a kept packet may ask again
		t.Errorf("%+v, %v", counts, err)
	}
	p.pass(t, frameOf(connection4, 2000, 0, flagSYN, nil, nil))
	_, flow := keyOf(connection4)
	if err := p.replica.collection.Maps[program.SessionMapSessionPending].Lookup(flow, new(uint32)); err == nil {
		t.Error("a SYN begins another connection, and the hello is still expected")
	}
}

// A timestamp that echoes our answer can be forged: such parts are limited as questions are.
func TestForgedPartsAreLimitedAsQuestions(t *testing.T) {
	p := newPlace(t)
	allowances := p.replica.collection.Maps[program.SessionMapSessionAllowance]
	times := append([]byte{1, 1, 8, 10, 0, 0, 0, 1, cookie.Mask(p.keys.Current.Mask, connection4)}, 0, 0, 0)
	for {
		second := program.Monotonic() >> 30
		spent := binary.NativeEndian.AppendUint64(binary.NativeEndian.AppendUint64(nil, second), 1<<30)
		const questions = uint32(0)
		must(t, allowances.Put(questions, slices.Repeat([][]byte{spent}, ebpf.MustPossibleCPU())))
		before, err := p.replica.Observe()
		must(t, err)
		p.pass(t, frameOf(connection4, 5000, 1, flagACK, times, []byte("part")))
		after, err := p.replica.Observe()
		must(t, err)
		if program.Monotonic()>>30 != second {
			continue // a new second has a new limit
		}
		if after.Parts != before.Parts || after.OverLimit != before.OverLimit+1 {
			t.Errorf("%+v, before %+v", after, before)
		}
		return
	}
}
