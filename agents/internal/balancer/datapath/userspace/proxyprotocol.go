package userspace

import (
	"encoding/binary"
	"net/netip"
)

// proxySignature starts a header of the PROXY protocol, version 2.
const proxySignature = "\r\n\r\n\x00\r\nQUIT\n"

const (
	proxyCommand = 0x21 // version 2, "a proxied connection"
	proxyTCP4    = 0x11
	proxyTCP6    = 0x21
)

// proxyHeader contains the client's address and the service address. Both are of the same
// family, because the client connected to the service.
func proxyHeader(client, service netip.AddrPort) []byte {
	kind, addresses := byte(proxyTCP4), append(client.Addr().AsSlice(), service.Addr().AsSlice()...)
	if client.Addr().Is6() {
		kind = proxyTCP6
	}
	header := append([]byte(proxySignature), proxyCommand, kind)
	header = binary.BigEndian.AppendUint16(header, uint16(len(addresses)+4))
	header = append(header, addresses...)
	header = binary.BigEndian.AppendUint16(header, client.Port())
	return binary.BigEndian.AppendUint16(header, service.Port())
}
