package cookie

import (
	"encoding/binary"
	"net/netip"
	"time"
)

// NoScale means that a client doesn't scale windows.
const NoScale = 15

// Sizes are the maximum segment sizes of clients that a cookie can have. A client's own is
// rounded down to one of them; one below the first becomes the first.
var Sizes = [8]uint16{536, 1220, 1300, 1360, 1400, 1440, 1460, 8960}

const (
	lowBits    = 0x1ff // all but the MAC
	epochShift = 36    // of nanoseconds: an epoch is 69 s
)

// Options are what a cookie has of a client's SYN.
type Options struct {
	MSS   uint16
	Scale uint8 // of its windows; NoScale for none
	SACK  bool
}

// Connection is one of a client to a service.
type Connection struct{ Client, Service netip.AddrPort }

// EpochAt returns the epoch of a moment.
func EpochAt(now time.Time) uint32 { return uint32(uint64(now.UnixNano()) >> epochShift) }

// Bake returns the cookie that answers a SYN with this sequence number.
func Bake(key Key, of Connection, syn, epoch uint32, o Options) uint32 {
	low := epoch&1<<8 | uint32(o.Scale&15)<<4
	if o.SACK {
		low |= 1 << 3
	}
	for i := range Sizes {
		if o.MSS >= Sizes[i] {
			low = low&^7 | uint32(i)
		}
	}
	return uint32(sipHash(key, input(of, syn, epoch, low)))&^lowBits | low
}

// Check returns what the cookie has, if it is one for that SYN, of an epoch next to this one.
// Clocks may differ by as much.
func Check(keys Set, of Connection, syn, epoch, cookie uint32) (Options, bool) {
	low := cookie & lowBits
	for _, at := range []uint32{epoch + 1, epoch, epoch - 1} {
		for _, one := range keys.Accepted() {
			if at&1 == low>>8 && uint32(sipHash(one.Cookie, input(of, syn, at, low)))&^lowBits == cookie&^lowBits {
				return Options{MSS: Sizes[low&7], Scale: uint8(low >> 4 & 15), SACK: low>>3&1 == 1}, true
			}
		}
	}
	return Options{}, false
}

// Mask is added to a backend's number in the upper 8 bits of a connection's timestamps, so
// that they don't reveal it.
func Mask(key Key, of Connection) uint8 { return uint8(sipHash(key, input(of, 0, 0, 0))) }

// input is struct cookie_input.
func input(of Connection, syn, epoch, low uint32) []byte {
	client, service := of.Client.Addr().As16(), of.Service.Addr().As16()
	out := append(append(make([]byte, 0, 48), client[:]...), service[:]...)
	out = binary.BigEndian.AppendUint16(out, of.Client.Port())
	out = binary.BigEndian.AppendUint16(out, of.Service.Port())
	for _, word := range []uint32{syn, epoch, low} {
		out = binary.LittleEndian.AppendUint32(out, word)
	}
	return out
}
