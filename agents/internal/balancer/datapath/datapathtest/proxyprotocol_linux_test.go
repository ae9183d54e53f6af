package datapathtest

import (
	"bufio"
	"bytes"
	"io"
	"testing"
)

const proxyStart = "\r\n\r\n\x00\r\nQUIT\n"

func TestProxyHeaderContainsTheClient(t *testing.T) {
	for _, c := range []struct {
		name, in, client, rest string
		bad                    bool
	}{
		{"no header", "who\n", "", "who\n", false},
		{"shorter than a header", "\r\n", "", "", true},
		{"IPv4", proxyStart + "\x21\x11\x00\x0c\xc0\x00\x02\x07\xc0\x00\x02\x01\x30\x39\x00\x50who\n", "192.0.2.7:12345", "who\n", false},
		{"IPv6", proxyStart + "\x21\x21\x00\x24" + "\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x07" + "\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" + "\x30\x39\x00\x50x", "[2001:db8::7]:12345", "x", false},
		{"local", proxyStart + "\x20\x00\x00\x00", "", "", true},
		{"too few addresses", proxyStart + "\x21\x11\x00\x02\xc0\x00", "", "", true},
		{"cut", proxyStart + "\x21\x11\x00\x0c\xc0", "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			reader := bufio.NewReader(bytes.NewReader([]byte(c.in)))
			client, err := readProxyHeader(reader)
			if (err != nil) != c.bad || client != c.client {
				t.Fatalf("client %q, error %v", client, err)
			}
			if rest, _ := io.ReadAll(reader); !c.bad && string(rest) != c.rest {
				t.Fatalf("left is %q", rest)
			}
		})
	}
}

func FuzzProxyHeader(f *testing.F) {
	f.Add([]byte(proxyStart + "\x21\x11\x00\x0c\xc0\x00\x02\x07\xc0\x00\x02\x01\x30\x39\x00\x50"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		client, err := readProxyHeader(bufio.NewReader(bytes.NewReader(stream)))
		if err != nil && client != "" {
			t.Fatalf("a client %q and an error %v", client, err)
		}
	})
}
