package bpf

import (
	"encoding/binary"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Anyone can forge a SYN. The backend that may have the connection answers it.
func TestASYNMovesAConnectionOnlyOnceItEnded(t *testing.T) {
	numbered := func(flags byte, seq uint32, data string) func(uint16) frame {
		return func(port uint16) frame {
			f := from4(6, port, flags, data)
			binary.BigEndian.PutUint32(f.payload[4:], seq)
			return f
		}
	}
	first, data := numbered(syn, 77_000, ""), numbered(ack, 1000, "hello")
	type step struct {
		sent func(uint16) frame
		to   string
	}
	for _, hook := range []Hook{TCX, XDP} {
		t.Run(hook.Name, func(t *testing.T) {
			e := openAt(t, newPlace(t), hook, datapath.Options{})
			for name, c := range map[string]struct {
				silent time.Duration
				steps  []step
			}{
				"live":                              {0, []step{{first, "a"}, {first, "a"}, {data, "a"}}},
				"silent for long":                   {14 * time.Minute, []step{{first, "a"}, {data, "a"}}},
				"silent for longer than any":        {17 * time.Minute, []step{{first, "b"}, {numbered(ack, 77_001, ""), "b"}}},
				"after an RST":                      {0, []step{{numbered(rst, 1000, ""), "a"}, {first, "b"}, {numbered(ack, 77_001, ""), "b"}}},
				"after an RST that was forged":      {0, []step{{numbered(rst, 1000, ""), "a"}, {data, "a"}, {first, "a"}, {data, "a"}}},
				"after FIN, the old one goes on":    {0, []step{{numbered(fin|ack, 1000, ""), "a"}, {first, "b"}, {numbered(ack, 1001, ""), "a"}, {numbered(ack, 1001, ""), "a"}}},
				"after FIN, the new one goes on":    {0, []step{{numbered(fin|ack, 1000, ""), "a"}, {first, "b"}, {numbered(ack, 77_001, ""), "b"}, {numbered(ack, 77_001, "hello"), "b"}}},
				"after FIN, its first ACK is lost":  {0, []step{{numbered(fin|ack, 1000, ""), "a"}, {first, "b"}, {numbered(ack, 77_001+1460, "hello"), "b"}}},
				"after FIN, a SYN is forged before": {0, []step{{numbered(fin|ack, 1000, ""), "a"}, {numbered(syn, 9, ""), "b"}, {first, "b"}, {numbered(ack, 77_001, ""), "b"}}},
			} {
				t.Run(name, func(t *testing.T) {
					for _, d := range []func(*datapath.Backend){inState("a", datapath.Draining), down("a")} {
						set(t, e, tcpService())
						forgetAll[program.FlowKey, program.FlowEntry](t, e, program.TcxMapConnections)
						forgetSetups(t, e)
						know(t, e, program.TcxMapConnections, clientFlow(1000, "a", c.silent), 0)
						set(t, e, tcpService(d))
						for i, s := range c.steps {
							if got := send(t, e, s.sent(1000)); got != s.to {
								t.Fatalf("packet %d went to %q, want %q", i, got, s.to)
							}
						}
					}
				})
			}
		})
	}
}
