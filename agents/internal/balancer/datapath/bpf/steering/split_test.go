package steering

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/checksum"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// tcpFrame returns a frame with this data, FIN and PSH.
func tcpFrame(version byte, data []byte) []byte {
	header := 20
	ip := make([]byte, 20)
	if version == 6 {
		ip = make([]byte, 40)
		ip[0], ip[6] = 0x60, 6
		binary.BigEndian.PutUint16(ip[4:], uint16(header+len(data)))
	} else {
		ip[0], ip[9] = 0x45, 6
		binary.BigEndian.PutUint16(ip[2:], uint16(20+header+len(data)))
		binary.BigEndian.PutUint16(ip[4:], 0xfffe)
	}
	for i := range ip[12:] {
		if version == 6 || i < 8 {
			ip[12+i] = byte(i + 1)
		}
	}
	tcp := make([]byte, header)
	binary.BigEndian.PutUint32(tcp[4:], 0xfffffff0)
	tcp[12], tcp[13] = byte(header/4)<<4, 0x10|fin|push
	frame := slices.Concat(make([]byte, ethernet), ip, tcp, data)
	checksum.Write(frame)
	return frame
}

func TestASplitFrameHasTheSameDataInOrder(t *testing.T) {
	data := make([]byte, 3500)
	for i := range data {
		data[i] = byte(i * 7)
	}
	for _, version := range []byte{4, 6} {
		var all []byte
		frames := split(tcpFrame(version, data), 1400)
		if len(frames) != 3 {
			t.Fatalf("IPv%d: %d frames", version, len(frames))
		}
		for i, frame := range frames {
			h, is := headersOf(frame)
			tcp := h.transport
			if seq := binary.BigEndian.Uint32(frame[tcp+4:]); !is || seq != uint32(0xfffffff0+len(all)&0xffffffff) {
				t.Errorf("IPv%d: frame %d begins at %d", version, i, seq)
			}
			if ends := frame[tcp+13]&fin != 0; ends != (i == 2) {
				t.Errorf("IPv%d: frame %d has FIN: %t", version, i, ends)
			}
			whole := bytes.Clone(frame)
			if checksum.Write(whole); !bytes.Equal(whole, frame) {
				t.Errorf("IPv%d: frame %d has a wrong checksum", version, i)
			}
			if version == 4 && checksum.Ones(frame[ethernet:ethernet+20], 0) != 0xffff {
				t.Errorf("frame %d has a wrong checksum of its IP header", i)
			}
			all = append(all, frame[h.end:]...)
		}
		if !bytes.Equal(all, data) {
			t.Errorf("IPv%d: the data differs", version)
		}
	}
}

func TestASplitFrameHasTheDatagramsOfItsSender(t *testing.T) {
	for _, version := range []byte{4, 6} {
		merged := tcpFrame(version, bytes.Repeat([]byte("0123456789"), 100))
		h, _ := headersOf(merged)
		merged = slices.Concat(merged[:h.transport], make([]byte, udpBytes), merged[h.end:])
		if version == 4 {
			merged[ethernet+9] = 17
			binary.BigEndian.PutUint16(merged[ethernet+2:], uint16(len(merged)-ethernet))
		} else {
			merged[ethernet+6] = 17
			binary.BigEndian.PutUint16(merged[ethernet+4:], uint16(len(merged)-ethernet-40))
		}
		copy(merged[h.transport:], []byte{0x12, 0x34, 0, 80})
		binary.BigEndian.PutUint16(merged[h.transport+4:], uint16(len(merged)-h.transport))
		frames := split(merged, 450)
		if len(frames) != 3 {
			t.Fatalf("IPv%d: %d frames", version, len(frames))
		}
		for i, want := range []int{450, 450, 100} {
			udp := frames[i][h.transport:]
			if got := int(binary.BigEndian.Uint16(udp[4:])); got != udpBytes+want || len(udp) != got || !bytes.Equal(udp[:4], merged[h.transport:h.transport+4]) {
				t.Errorf("IPv%d: datagram %d has %d bytes, and its length is %d: want %d of data", version, i, len(udp), got, want)
			}
			whole := bytes.Clone(frames[i])
			if checksum.Write(whole); !bytes.Equal(whole, frames[i]) {
				t.Errorf("IPv%d: datagram %d has a wrong checksum", version, i)
			}
			if version == 4 && checksum.Ones(frames[i][ethernet:ethernet+20], 0) != 0xffff {
				t.Errorf("datagram %d has a wrong checksum of its IP header", i)
			}
		}
	}
}

func TestOtherFramesStayWhole(t *testing.T) {
	icmp := tcpFrame(4, make([]byte, 3000))
	icmp[ethernet+9] = 1
	options := tcpFrame(4, make([]byte, 3000))
	options[ethernet] = 0x46
	for _, frame := range [][]byte{nil, make([]byte, 20), icmp, options, tcpFrame(6, make([]byte, 100))} {
		if frames := split(frame, 1400); len(frames) != 1 || len(frames[0]) != len(frame) {
			t.Errorf("%d bytes become %d frames", len(frame), len(frames))
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add(tcpFrame(4, make([]byte, 3000)), 1000)
	f.Add(tcpFrame(6, make([]byte, 3000)), 1)
	f.Fuzz(func(t *testing.T, frame []byte, most int) {
		if len(frame) > int(program.TcxPlacedLimitsKEPT_FRAME) {
			return
		}
		h, _ := headersOf(frame)
		if frames := split(bytes.Clone(frame), most); len(frames) == 1 {
			h.end = 0
		}
		length := h.end
		for _, one := range split(frame, most) {
			length += len(one) - h.end
		}
		if length != len(frame) {
			t.Errorf("%d bytes become %d", len(frame), length)
		}
	})
}
