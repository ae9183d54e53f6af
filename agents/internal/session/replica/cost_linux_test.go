package replica

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/cookie"
)

// BenchmarkConnection measures the programs for the first packets of a connection, each in a run of its own, because the
// programs change the packet: `go test -run - -bench Connection`.
func BenchmarkConnection(b *testing.B) {
	p := newPlace(b)
	timestamps := []byte{1, 1, 8, 10, 0, 0, 0, 7, 0, 0, 0, 0}
	options := slices.Concat([]byte{2, 4, 5, 0xb4, 4, 2}, timestamps[2:], []byte{1, 3, 3, 9})
	hello := forged(string(nameA[:])+string(make([]byte, 200)), "", string(make([]byte, 32)))
	const syn = 1000
	took := map[string][]time.Duration{}
	for i := range b.N {
		of := connection4
		of.Client = netipPort(of.Client, uint16(1024+i%60000))
		run := func(name string, frame []byte) {
			_, each, err := p.replica.joint.Program.Benchmark(frame, 1, nil)
			must(b, err)
			took[name] = append(took[name], each)
		}
		run("SYN", frameOf(of, syn, 0, flagSYN, options, nil))
		baked := cookie.Bake(p.keys.Current.Cookie, of, syn, epochNow(b), cookie.Options{MSS: 1460, Scale: 9, SACK: true})
		binary.BigEndian.PutUint32(timestamps[8:], uint32(cookie.Mask(p.keys.Current.Mask, of))<<24)
		run("ACK", frameOf(of, syn+1, baked+1, flagACK, timestamps, nil))
		run("hello", frameOf(of, syn+1, baked+1, flagACK, timestamps, hello))
		run("response", frameOf(of, syn+1+uint32(len(hello)), baked+1000, flagACK, timestamps, nil))
		run("later", frameOf(of, syn+1+uint32(len(hello)), baked+1000, flagACK, timestamps, hello))
	}
	for name, each := range took {
		slices.Sort(each)
		b.ReportMetric(float64(each[len(each)/2].Nanoseconds()), "ns/"+name)
	}
}
