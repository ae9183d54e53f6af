package bpf

import (
	"encoding/binary"
	"maps"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// A reply of direct delivery isn't seen here: the client's acknowledgement shows it.
func TestFirstBytesAreTimed(t *testing.T) {
	for _, c := range []struct {
		hook Hook
		sent uint32
	}{{TCX, verdictRedirect}, {XDP, xdpTX}} {
		t.Run(c.hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), c.hook, datapath.Options{})
			set(t, e, tcpService())
			timed := func() (all uint64) {
				observed, err := e.Observe(t.Context())
				must(t, err)
				for _, n := range observed.Services[0].Counts.FirstByteNanoseconds {
					all += n
				}
				return all
			}
			for port := uint16(2000); port < 2020; port++ {
				for step, packet := range []struct {
					flags        byte
					payload      string
					acknowledges uint32
				}{
					{syn, "", 0}, {ack, "", 1000}, {ack, "a request", 1000}, {ack, "of two", 1000},
					{ack, "", 1500}, {ack, "", 1700}, {ack, "another request", 1700}, {ack, "", 1900},
				} {
					f := from4(6, port, packet.flags, packet.payload)
					frame := acknowledging(f.bytes(), packet.acknowledges)
					verdict, _, err := e.program.Test(frame)
					must(t, err)
					if verdict != c.sent {
						t.Fatalf("port %d, step %d: verdict %d", port, step, verdict)
					}
					if want := uint64(port) - 2000 + map[bool]uint64{true: 1}[step >= 4]; timed() != want {
						t.Fatalf("port %d, step %d: %d are timed, want %d", port, step, timed(), want)
					}
				}
			}
			// A connection that started elsewhere isn't timed.
			for _, acknowledges := range []uint32{1000, 1000, 1500} {
				f := from4(6, 3000, ack, "a request")
				_, _, err := e.program.Test(acknowledging(f.bytes(), acknowledges))
				must(t, err)
			}
			if timed() != 20 {
				t.Errorf("%d are timed, want 20", timed())
			}
			checkTimings(t, e)
		})
	}
}

// acknowledging sets the acknowledgement number; the program checks no checksum.
func acknowledging(frame []byte, until uint32) []byte {
	binary.BigEndian.PutUint32(frame[14+20+8:], until)
	return frame
}

func TestSetUpsAreTimed(t *testing.T) {
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, tcpService())
	for port := uint16(2000); port < 2020; port++ {
		send(t, e, from4(6, port, syn, ""))
		send(t, e, from4(6, port, ack, ""))
		send(t, e, from4(6, port, ack, "more"))
	}
	observed, err := e.Observe(t.Context())
	must(t, err)
	var timed uint64
	for _, n := range observed.Services[0].Counts.SetupNanoseconds {
		timed += n
	}
	if counts := observed.Services[0].Counts; timed != 20 || counts.Connections != 20 || counts.LiveConnections != 20 || counts.Packets != 60 {
		t.Errorf("%d timed, counts %+v", timed, counts)
	}
	checkTimings(t, e)
	service := tcpService()
	service.Backends = service.Backends[1:]
	set(t, e, service)
	checkTimingsOf(t, e, func(sum, all uint64) bool { return sum < all })
	var key program.TimingKey
	for each := e.maps[program.TcxMapBackendTimings].Iterate(); each.Next(&key, new(program.Timings)); {
		if !slices.ContainsFunc(slices.Collect(maps.Values(e.model.Slots)), func(b *state.Backend) bool { return b.Entry.Incarnation == key.Incarnation }) {
			t.Error("timings are left of a backend that is gone")
		}
	}
}

// checkTimings requires that each backend has its part of the service's timings.
func checkTimings(t *testing.T, e *Engine) {
	t.Helper()
	checkTimingsOf(t, e, func(sum, all uint64) bool { return sum == all && sum > 0 })
}

func checkTimingsOf(t *testing.T, e *Engine, right func(sum, all uint64) bool) {
	t.Helper()
	observed, err := e.Observe(t.Context())
	must(t, err)
	count := func(c datapath.Counts) (all uint64) {
		for i := range c.SetupNanoseconds {
			all += c.SetupNanoseconds[i] + c.FirstByteNanoseconds[i]
		}
		return all
	}
	service, sum, slowest := observed.Services[0], uint64(0), uint64(0)
	for _, b := range service.Backends {
		sum += count(b.Counts)
		slowest = max(slowest, count(b.Counts))
	}
	if all := count(service.Counts); !right(sum, all) || (len(service.Backends) > 1 && slowest == sum) {
		t.Errorf("of %d timings of a service its backends have %d, and one of them %d", all, sum, slowest)
	}
}
