package checksum

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// fieldAt is where a checksum is in the header of a protocol.
var fieldAt = map[byte]int{unix.IPPROTO_TCP: 16, unix.IPPROTO_UDP: 6}

// Finish completes a checksum that the sender left to hardware which this packet
// never reached: it contains only the sum of the pseudo header.
func Finish(frame []byte) {
	pseudo, segment, at := partsOf(frame)
	if at == 0 || len(segment) < at+2 || binary.BigEndian.Uint16(segment[at:]) != Ones(pseudo, 0) {
		return
	}
	Write(frame)
}

// Write calculates the checksum of a TCP segment or UDP datagram.
func Write(frame []byte) {
	pseudo, segment, at := partsOf(frame)
	if at == 0 || len(segment) < at+2 {
		return
	}
	field := segment[at : at+2]
	field[0], field[1] = 0, 0
	sum := ^Ones(segment, uint32(Ones(pseudo, 0)))
	if sum == 0 && at == fieldAt[unix.IPPROTO_UDP] {
		sum = 0xffff // 0 means that there is none
	}
	binary.BigEndian.PutUint16(field, sum)
}

// partsOf returns the segment of a frame that the program has parsed, the pseudo header
// for its checksum, and where in the segment the checksum is; 0 for another protocol.
func partsOf(frame []byte) (pseudo, segment []byte, at int) {
	packet, protocol := frame[min(14, len(frame)):], byte(0)
	if len(packet) >= 20 && packet[0]>>4 == 4 {
		size, total := int(packet[0]&15)*4, int(binary.BigEndian.Uint16(packet[2:]))
		if size < 20 || total < size || total > len(packet) {
			return nil, nil, 0
		}
		protocol, segment, pseudo = packet[9], packet[size:total], append(pseudo, packet[12:20]...)
	} else if len(packet) >= 40 {
		total := 40 + int(binary.BigEndian.Uint16(packet[4:]))
		if total > len(packet) {
			return nil, nil, 0
		}
		protocol, segment, pseudo = packet[6], packet[40:total], append(pseudo, packet[8:40]...)
	}
	pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(len(segment)))
	return append(pseudo, 0, 0, 0, protocol), segment, fieldAt[protocol]
}
