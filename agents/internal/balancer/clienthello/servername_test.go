package clienthello

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
	"strings"
	"testing"
)

// goHello returns the hello of Go's own client.
func goHello(t testing.TB, config *tls.Config) []byte {
	t.Helper()
	client, server := net.Pipe()
	defer server.Close()
	go func() {
		_ = tls.Client(client, config).Handshake()
		client.Close()
	}()
	var stream []byte
	for {
		part := make([]byte, Most)
		size, err := server.Read(part)
		if err != nil {
			t.Fatal(err)
		}
		stream = append(stream, part[:size]...)
		if _, err := ServerName(stream); !errors.Is(err, ErrShort) {
			return stream
		}
	}
}

// records splits a record into several of this size.
func records(record []byte, each int) (stream []byte) {
	for rest := record[recordHeader:]; len(rest) > 0; {
		size := min(each, len(rest))
		stream = append(stream, record[:3]...)
		stream = binary.BigEndian.AppendUint16(stream, uint16(size))
		stream, rest = append(stream, rest[:size]...), rest[size:]
	}
	return stream
}

// written returns a hello with these encoded extensions.
func written(extensions ...string) []byte {
	all := strings.Join(extensions, "")
	body := "\x03\x03" + strings.Repeat("r", randomBytes) + "\x00" + "\x00\x02\x13\x01" + "\x01\x00" + vector(2, all)
	return []byte("\x16\x03\x01" + vector(2, "\x01"+vector(3, body)))
}

func vector(bytes int, content string) string {
	length := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	return string(length[4-bytes:]) + content
}

func extension(kind string, content string) string { return kind + vector(2, content) }

func named(name string) string { return extension("\x00\x00", vector(2, "\x00"+vector(2, name))) }

func TestTheNameIsParsedFromClientHellos(t *testing.T) {
	long := strings.Repeat("a", 60)
	protocols := make([]string, 200)
	for i := range protocols {
		protocols[i] = strings.Repeat(string(rune('a'+i%26)), 200)
	}
	many := extension("\x00\x2a", strings.Repeat("ticket", 8000))
	for _, test := range []struct {
		name   string
		stream []byte
		want   string
	}{
		{"Go", goHello(t, &tls.Config{ServerName: "shop-0.example.com"}), "shop-0.example.com"},
		{"TLS 1.2 at most", goHello(t, &tls.Config{ServerName: "shop-0.example.com", MaxVersion: tls.VersionTLS12}), "shop-0.example.com"},
		{"without a key share for later", goHello(t, &tls.Config{ServerName: "a.example", CurvePreferences: []tls.CurveID{tls.X25519}}), "a.example"},
		{"40 KiB of protocols", goHello(t, &tls.Config{ServerName: "a.example", NextProtos: protocols}), "a.example"},
		{"an address, which is no name", goHello(t, &tls.Config{ServerName: "192.0.2.1", InsecureSkipVerify: true}), ""},
		{"none", goHello(t, &tls.Config{InsecureSkipVerify: true}), ""},
		{"no extensions", []byte("\x16\x03\x01" + vector(2, "\x01"+vector(3, "\x03\x01"+strings.Repeat("r", randomBytes)+"\x00\x00\x02\x13\x01\x01\x00"))), ""},
		{"as it is written", written(named("Shop-0.Example.COM.")), "Shop-0.Example.COM."},
		{"after others", written(extension("\x0a\x0a", ""), extension("\x00\x10", "\x00\x03\x02h2"), named(long)), long},
		{"after 48 KB of others", records(unsplit(many), recordMost), "last.example"},
		{"the outer name, of one that is encrypted", written(extension("\xfe\x0d", "\x00sealed inner.example"), named("outer.example")), "outer.example"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, each := range []int{1, 2, 3, 7, 100, 1400, recordMost} {
				stream := test.stream
				if binary.BigEndian.Uint16(stream[3:]) == uint16(len(stream)-recordHeader) {
					stream = records(stream, each)
				}
				if len(stream) > Most {
					continue
				}
				more := append(bytes.Clone(stream), "\x14\x03\x03\x00\x01\x01 and early data"...)
				if got, err := ServerName(more); string(got) != test.want || err != nil {
					t.Fatalf("in records of %d: %q, %v, want %q", each, got, err, test.want)
				}
				for _, cut := range []int{0, 1, 4, 5, 6, 9, len(stream) / 2, len(stream) - 1} {
					if got, err := ServerName(stream[:cut]); !errors.Is(err, ErrShort) {
						t.Fatalf("in records of %d, after %d bytes: %q, %v", each, cut, got, err)
					}
				}
			}
		})
	}
}

// unsplit returns one record that is too long, to be split into several.
func unsplit(many string) []byte {
	body := "\x03\x03" + strings.Repeat("r", randomBytes) + "\x00\x00\x02\x13\x01\x01\x00" + vector(2, many+named("last.example"))
	return []byte("\x16\x03\x01\x00\x00" + "\x01" + vector(3, body))
}

func TestAnInvalidHelloIsRejectedAtOnce(t *testing.T) {
	good := written(named("a.example"))
	change := func(at int, to byte) []byte {
		changed := bytes.Clone(good)
		changed[at] = to
		return changed
	}
	for name, stream := range map[string][]byte{
		"HTTP":                        []byte("G"),
		"SMTP":                        []byte("EHLO a.example\r\n"),
		"SSL 2":                       {0x80, 0x2e, 1, 3, 1},
		"an alert":                    {21, 3, 1, 0, 2, 2, 40},
		"another version":             change(1, 2),
		"an empty record":             {22, 3, 1, 0, 0},
		"a record too long":           {22, 3, 1, 0x40, 1},
		"a server's hello":            change(5, 2),
		"longer than any":             {22, 3, 1, 0, 10, 1, 1, 0, 0},
		"more than itself":            append(change(4, good[4]+1), 0),
		"more than itself, not there": {22, 3, 1, 0x30, 0x30, 1, 0, 0, 1, 0},
		"a session too long":          change(recordHeader+messageHeader+2+randomBytes, 33),
		"half a suite":                change(recordHeader+messageHeader+2+randomBytes+2, 1),
		"extensions too long":         change(recordHeader+messageHeader+2+randomBytes+1+4+2+1, 200),
		"two names":                   written(named("a.example"), named("b.example")),
		"two in one list":             written(extension("\x00\x00", vector(2, "\x00"+vector(2, "a")+"\x00"+vector(2, "b")))),
		"a name of length 0":          written(named("")),
		"a name with a NUL":           written(named("a.example\x00.evil.example")),
		"a list that is cut":          written(extension("\x00\x00", "\x00\x09\x00\x00\x09a")),
		"another kind of name":        written(extension("\x00\x00", vector(2, "\x01"+vector(2, "a")))),
		"half an extension":           written(named("a.example"), "\x00\x10\x00"),
		"nothing that could be a key": written(named("a.example"), extension("\x00\x33", "x")+"\x00"),
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := ServerName(stream); !errors.Is(err, ErrNone) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	if got, err := ServerName(good); string(got) != "a.example" || err != nil {
		t.Fatalf("what was changed is %q, %v", got, err)
	}
}

func TestAWholeRecordAllocatesNothing(t *testing.T) {
	stream := goHello(t, &tls.Config{ServerName: "a.example"})
	if got := testing.AllocsPerRun(100, func() { _, _ = ServerName(stream) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func FuzzServerName(f *testing.F) {
	f.Add(goHello(f, &tls.Config{ServerName: "a.example"}), 1400)
	f.Add(written(named("a.example"), extension("\xfe\x0d", "x")), 1)
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"), 3)
	f.Fuzz(func(t *testing.T, stream []byte, cut int) {
		name, err := ServerName(stream)
		if err != nil {
			if name != nil {
				t.Fatalf("%q and %v", name, err)
			}
			if !errors.Is(err, ErrShort) && !errors.Is(err, ErrNone) {
				t.Fatalf("an error of its own: %v", err)
			}
		}
		if len(name) > 0 && !bytes.Contains(whole(stream), name) {
			t.Fatalf("%q isn't part of the hello", name)
		}
		// A result for the beginning must not differ from the final one.
		if cut < 0 || cut > len(stream) {
			return
		}
		first, errFirst := ServerName(stream[:cut])
		if !errors.Is(errFirst, ErrShort) && (!bytes.Equal(first, name) || !errors.Is(err, errFirst)) {
			t.Fatalf("after %d bytes %q, %v, and later %q, %v", cut, first, errFirst, name, err)
		}
	})
}

// whole returns the content of the complete records.
func whole(stream []byte) (all []byte) {
	for len(stream) >= recordHeader {
		size := min(recordHeader+int(binary.BigEndian.Uint16(stream[3:])), len(stream))
		all = append(all, stream[recordHeader:size]...)
		stream = stream[size:]
	}
	return all
}
