package datapathtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/netip"
)

// readProxyHeader reads a header of the PROXY protocol, version 2, if the stream starts
// with one, and returns the client.
func readProxyHeader(reader *bufio.Reader) (client string, err error) {
	signature := []byte("\r\n\r\n\x00\r\nQUIT\n")
	for size := 1; size <= len(signature); size++ { // never waits for more than is certain to arrive
		start, err := reader.Peek(size)
		if err != nil || !bytes.HasPrefix(signature, start) {
			return "", err
		}
	}
	header := make([]byte, 16)
	if _, err := io.ReadFull(reader, header); err != nil {
		return "", err
	}
	addresses := make([]byte, binary.BigEndian.Uint16(header[14:]))
	if _, err := io.ReadFull(reader, addresses); err != nil {
		return "", err
	}
	if header[12] != 0x21 { // version 2, PROXY
		return "", fmt.Errorf("PROXY header of version and command %#x", header[12])
	}
	size := map[byte]int{0x11: 4, 0x21: 16}[header[13]] // TCP over IPv4, IPv6
	if size == 0 || len(addresses) < 2*size+4 {
		return "", fmt.Errorf("PROXY header of family %#x with %d bytes of addresses", header[13], len(addresses))
	}
	source, _ := netip.AddrFromSlice(addresses[:size])
	return netip.AddrPortFrom(source, binary.BigEndian.Uint16(addresses[2*size:])).String(), nil
}
