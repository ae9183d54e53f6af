package replica

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/cookie"
)

func netipPort(of netip.AddrPort, port uint16) netip.AddrPort {
	return netip.AddrPortFrom(of.Addr(), port)
}

// back returns the addresses that an answer has.
func back(frame []byte, s tcpSegment) cookie.Connection {
	from, to := frame[s.ip+12:s.ip+16], frame[s.ip+16:s.ip+20]
	if frame[s.ip]>>4 == 6 {
		from, to = frame[s.ip+8:s.ip+24], frame[s.ip+24:s.ip+40]
	}
	service, _ := netip.AddrFromSlice(from)
	client, _ := netip.AddrFromSlice(to)
	return cookie.Connection{
		Client:  netip.AddrPortFrom(client, binary.BigEndian.Uint16(frame[s.tcp+2:])),
		Service: netip.AddrPortFrom(service, binary.BigEndian.Uint16(frame[s.tcp:])),
	}
}

func TestAnAcknowledgementGoesBackToItsClient(t *testing.T) {
	options := []byte{1, 1, 8, 10, 0, 0, 0, 7, 0, 0, 0, 9}
	for _, of := range []cookie.Connection{connection4, connection6} {
		frame := frameOf(of, 1000, 2000, flagACK, options, []byte("hello"))
		at, _ := segmentOf(frame)
		answer := acknowledgement(frame, at, 1234)
		s, ok := segmentOf(answer)
		if !ok || s.data != s.end || back(answer, s) != of || !isSound(answer) {
			t.Fatalf("%v: %x", of, answer)
		}
		tcp := answer[s.tcp:]
		if s.number != 2000 || binary.BigEndian.Uint32(tcp[8:]) != 1234 || tcp[13] != flagACK {
			t.Errorf("%v: number %d, flags %#x", of, s.number, tcp[13])
		}
		if tcp[27] != 9 || tcp[31] != 7 {
			t.Errorf("%v: timestamps %x", of, tcp[24:32])
		}
		if [6]byte(answer) != [6]byte(router) || [6]byte(answer[6:]) != [6]byte(ours) {
			t.Errorf("%v: link addresses %x", of, answer[:12])
		}
	}
}

func TestAResetIsTheOneThatItsClientExpects(t *testing.T) {
	for _, of := range []cookie.Connection{connection4, connection6} {
		key := program.ToFlowKey(datapath.Key{Address: of.Service.Addr(), Port: of.Service.Port(), Protocol: datapath.TCP}, of.Client)
		q := &program.SessionSessionQuestion{Seq: 1000, Ack: 2000}
		q.Key.Client.Word, q.Key.Service.Word, q.Key.ClientPort, q.Key.ServicePort = key.Client.Word, key.Service.Word, key.ClientPort, key.ServicePort
		copy(q.Link[:], append(append([]byte{}, ours...), router...))
		frame := reset(q)
		s, ok := segmentOf(frame)
		if !ok || back(frame, s) != of || !isSound(frame) || s.number != 2000 || frame[s.tcp+13] != flagRST || [6]byte(frame) != [6]byte(router) {
			t.Errorf("%v: %x", of, frame)
		}
	}
}

func FuzzSegmentOf(f *testing.F) {
	f.Add(frameOf(connection4, 1, 2, flagACK, nil, []byte("hello")))
	f.Add(frameOf(connection6, 1, 2, flagACK, make([]byte, 12), nil))
	f.Fuzz(func(t *testing.T, frame []byte) {
		s, ok := segmentOf(frame)
		if !ok {
			return
		}
		if s.data < s.tcp+tcpHeader || s.data > s.end || s.end > len(frame) {
			t.Fatalf("%+v in %d bytes", s, len(frame))
		}
		_ = acknowledgement(frame, s, 1)
	})
}
