package cookie

import "encoding/binary"

const addressBytes = 32 // with which the input of a cookie starts; ports and the sequence number are the next word

// Began reports whether a connection with this cookie may have begun at most so many bytes before a sequence number.
// It tries each, because the sequence number of its SYN isn't known: some milliseconds for 16 KiB. Fewer than one of 100
// other connections look as if they had.
func Began(keys Set, of Connection, sequence, epoch, cookie uint32, most int) bool {
	low := cookie & lowBits
	message := input(of, 0, 0, 0)
	ports := binary.LittleEndian.Uint64(message[addressBytes:])
	for i, one := range keys.Accepted() {
		if i > 0 && keys.Previous == (Keys{}) {
			break // the same
		}
		addresses := newSip(one.Cookie)
		for at := 0; at < addressBytes; at += 8 {
			addresses.add(binary.LittleEndian.Uint64(message[at:]))
		}
		for _, at := range []uint32{epoch, epoch - 1, epoch + 1} {
			if at&1 != low>>8 {
				continue
			}
			for before := range uint32(most) {
				state := addresses
				state.add(ports | uint64(sequence-1-before)<<32)
				state.add(uint64(at) | uint64(low)<<32)
				if (uint32(state.sum(uint64(len(message))<<56))^cookie)&^lowBits == 0 {
					return true
				}
			}
		}
	}
	return false
}
