package checksum

import "encoding/binary"

// Ones is the one's complement sum of internet protocols.
func Ones(data []byte, sum uint32) uint16 {
	for len(data) > 1 {
		sum += uint32(binary.BigEndian.Uint16(data))
		data = data[2:]
	}
	if len(data) == 1 {
		sum += uint32(data[0]) << 8
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	return uint16(sum)
}
