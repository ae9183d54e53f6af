package app

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"testing"
)

// headerOf is a PROXY header: signature, version and command, family, and the rest.
func headerOf(command, family byte, rest ...byte) []byte {
	header := append(bytes.Clone(signature), command, family)
	return append(binary.BigEndian.AppendUint16(header, uint16(len(rest))), rest...)
}

var fromFour = []byte{198, 51, 100, 7, 192, 0, 2, 1, 0x13, 0x88, 0, 80}

func TestTheClientAddressComesFromTheHeader(t *testing.T) {
	six := append(append(netip.MustParseAddr("2001:db8::7").AsSlice(), netip.MustParseAddr("2001:db8::1").AsSlice()...), 0x13, 0x88, 0, 80)
	for name, c := range map[string]struct {
		in      []byte
		want    string // "" for the connection's own remote address
		refused bool
	}{
		"IPv4":               {headerOf(0x21, 0x11, fromFour...), "198.51.100.7:5000", false},
		"IPv6":               {headerOf(0x21, 0x21, six...), "[2001:db8::7]:5000", false},
		"data after it":      {headerOf(0x21, 0x11, append(bytes.Clone(fromFour), 4, 0, 0)...), "198.51.100.7:5000", false},
		"the balancer's own": {headerOf(0x20, 0x11, fromFour...), "", false},
		"no family":          {headerOf(0x21, 0), "", false},
		"too short":          {headerOf(0x21, 0x11, fromFour[:11]...), "", false},
		"version 1":          {headerOf(0x11, 0x11, fromFour...), "", true},
		"another command":    {headerOf(0x2f, 0x11, fromFour...), "", true},
		"none":               {nil, "", false},
		"half a header":      {headerOf(0x21, 0x11, fromFour...)[:20], "", true},
	} {
		t.Run(name, func(t *testing.T) {
			body := "GET / HTTP/1.1\r\n"
			in := c.in
			if name != "half a header" {
				in = append(bytes.Clone(c.in), body...)
			}
			stream := bufio.NewReader(bytes.NewReader(in))
			client, err := takeHeader(stream)
			if (err != nil) != c.refused || text(client) != c.want {
				t.Fatalf("client %q, %v, want %q", text(client), err, c.want)
			}
			if left, _ := io.ReadAll(stream); !c.refused && string(left) != body {
				t.Errorf("left is %q", left)
			}
		})
	}
}

func text(address net.Addr) string {
	if address == nil {
		return ""
	}
	return address.String()
}

func FuzzTakeHeader(f *testing.F) {
	f.Add(headerOf(0x21, 0x11, fromFour...))
	f.Add(headerOf(0x20, 0))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add(signature[:5])
	f.Fuzz(func(t *testing.T, in []byte) {
		stream := bufio.NewReader(bytes.NewReader(in))
		client, err := takeHeader(stream)
		left, _ := io.ReadAll(stream)
		if err != nil {
			if client != nil {
				t.Fatalf("a client %v and %v", client, err)
			}
			return
		}
		if !bytes.HasSuffix(in, left) {
			t.Fatalf("%q is left of %q", left, in)
		}
		header := in[:len(in)-len(left)]
		if client == nil && len(header) == 0 {
			return
		}
		if len(header) < 16 || !bytes.HasPrefix(header, signature) || len(header) != 16+int(binary.BigEndian.Uint16(header[14:])) {
			t.Fatalf("%q was taken off", header)
		}
		if client != nil && header[12] != 0x21 {
			t.Fatalf("%v from a header without a client address: %q", client, header)
		}
	})
}
