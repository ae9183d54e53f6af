package checksum

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Finish completes a checksum that the sender left to hardware which this packet
// never reached: it contains only the sum of the pseudo header.
func Finish(frame []byte) {
	const checksumAt = 16
	pseudo, segment := segmentOf(frame)
	if len(segment) < checksumAt+2 {
		return
	}
	sum := Ones(pseudo, 0)
	at := segment[checksumAt : checksumAt+2]
	if binary.BigEndian.Uint16(at) != sum {
		return
	}
	at[0], at[1] = 0, 0
	binary.BigEndian.PutUint16(at, ^Ones(segment, uint32(sum)))
}

// segmentOf returns the TCP segment of a frame that the program has parsed, and the
// pseudo header for its checksum.
func segmentOf(frame []byte) (pseudo, segment []byte) {
	packet := frame[14:]
	if len(packet) >= 20 && packet[0]>>4 == 4 {
		size, total := int(packet[0]&15)*4, int(binary.BigEndian.Uint16(packet[2:]))
		if size < 20 || total < size || total > len(packet) {
			return nil, nil
		}
		segment, pseudo = packet[size:total], append(pseudo, packet[12:20]...)
	} else if len(packet) >= 40 {
		total := 40 + int(binary.BigEndian.Uint16(packet[4:]))
		if packet[6] != unix.IPPROTO_TCP || total > len(packet) {
			return nil, nil
		}
		segment, pseudo = packet[40:total], append(pseudo, packet[8:40]...)
	}
	pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(len(segment)))
	return append(pseudo, 0, 0, 0, unix.IPPROTO_TCP), segment
}
