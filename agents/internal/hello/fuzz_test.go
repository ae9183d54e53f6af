package hello

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// judged is what Go's server finds in a stream.
func judged(stream []byte) (info tls.ClientHelloInfo, valid bool) {
	server := tls.Server(&oneWay{Reader: bytes.NewReader(stream)}, &tls.Config{GetConfigForClient: func(got *tls.ClientHelloInfo) (*tls.Config, error) {
		info, valid = *got, true
		return nil, errors.New("it has seen enough")
	}})
	_ = server.Handshake()
	return info, valid
}

// oneWay is a connection that ends after the stream.
type oneWay struct {
	net.Conn
	io.Reader
}

func (c *oneWay) Read(into []byte) (int, error)  { return c.Reader.Read(into) }
func (c *oneWay) Write(from []byte) (int, error) { return len(from), nil }
func (c *oneWay) Close() error                   { return nil }

// stricter reports whether a body breaks a rule of the format that Go's server doesn't
// check before it reports the hello.
func stricter(body cursor) bool {
	_, _ = body.take(2 + randomBytes)
	session, _ := body.vector(1)
	suites, _ := body.vector(2)
	compressions, _ := body.vector(1)
	if len(session.left) > sessionIDMost || len(suites.left) == 0 || len(compressions.left) == 0 {
		return true
	}
	extensions, _ := body.vector(2)
	for len(extensions.left) > 0 {
		kind, _ := extensions.number(2)
		content, _ := extensions.vector(2)
		switch kind {
		case serverNameExtension: // it skips other kinds of names, ignores what follows, and allows a NUL
			if name, ok := serverName(content); !ok || strings.Contains(string(name), "\x00") {
				return true
			}
		case preSharedKeyExtension: // it counts the proofs later
			if _, ok := identities(content); !ok {
				return true
			}
		}
	}
	return false
}

func FuzzParse(f *testing.F) {
	f.Add(goHello(f, &tls.Config{ServerName: "a.example", NextProtos: []string{"h2"}}), 1400, 100)
	f.Add(resumedHello(f, tls.VersionTLS12), 700, 3)
	f.Add(resumedHello(f, tls.VersionTLS13), 9, 1)
	f.Add(written(named("a.example"), "\xfe\x0d\x00\x01x", keys([]string{"k"}, []string{"p"})), 1, 7)
	f.Add(records(written(named("a.example")), 3), 20, 50)
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"), 3, 1)
	f.Fuzz(func(t *testing.T, stream []byte, cut, each int) {
		before := bytes.Clone(stream)
		h, err := Parse(stream, Most)
		if !bytes.Equal(stream, before) {
			t.Fatal("the stream was changed")
		}
		checkResult(t, stream, h, err)
		if cut >= 0 && cut <= len(stream) {
			checkBeginning(t, stream, cut, h, err)
		}
		if message := whole(stream); len(message) > messageHeader && each > 0 {
			checkAgainstServer(t, message[messageHeader:], each)
		}
	})
}

func checkResult(t *testing.T, stream []byte, h Hello, err error) {
	switch {
	case err == nil:
		if h.Size > len(stream) || h.Size > Most {
			t.Fatalf("a hello of %d bytes in %d", h.Size, len(stream))
		}
		c := contentOf(h)
		for _, part := range append(append(c.Protocols, c.Identities...), c.Name, c.SessionID, c.Ticket) {
			if !bytes.Contains(whole(stream[:h.Size]), []byte(part)) {
				t.Fatalf("%q isn't part of the hello", part)
			}
		}
	case errors.Is(err, ErrIncomplete):
		if h.Size <= len(stream) || h.Size > Most {
			t.Fatalf("it needs %d bytes, and has %d", h.Size, len(stream))
		}
	case !reflect.DeepEqual(h, Hello{}):
		t.Fatalf("%+v and %v", h, err)
	}
}

// checkBeginning: a result for the beginning must not differ from the final one, and no
// hello ends before the size that its beginning needs.
func checkBeginning(t *testing.T, stream []byte, cut int, h Hello, err error) {
	first, errFirst := Parse(stream[:cut], Most)
	if !errors.Is(errFirst, ErrIncomplete) {
		if !reflect.DeepEqual(contentOf(first), contentOf(h)) || first.Size != h.Size || !errors.Is(err, errFirst) {
			t.Fatalf("after %d bytes %+v, %v, and later %+v, %v", cut, first, errFirst, h, err)
		}
	} else if (err == nil || errors.Is(err, ErrIncomplete)) && first.Size > h.Size {
		t.Fatalf("after %d bytes it needs %d, and has %d in all", cut, first.Size, h.Size)
	}
}

// checkAgainstServer compares with Go's server: what that accepts is accepted, with the
// same name and protocols.
func checkAgainstServer(t *testing.T, body []byte, each int) {
	each = min(max(each, len(body)/20), recordMost) // the server is slow with many records
	message := records(append([]byte("\x16\x03\x01\x00\x00\x01"), vector(3, string(body))...), each)
	info, valid := judged(message)
	if !valid || stricter(cursor{body}) {
		return
	}
	h, err := Parse(message, len(message))
	got := contentOf(h)
	if err != nil || h.Size != len(message) || got.Name != info.ServerName || !slices.Equal(got.Protocols, info.SupportedProtos) {
		t.Fatalf("%+v, %v, and the server read %q %q in %x", got, err, info.ServerName, info.SupportedProtos, message)
	}
}
