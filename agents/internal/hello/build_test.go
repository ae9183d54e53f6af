package hello

import (
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
		part := make([]byte, 64<<10)
		size, err := server.Read(part)
		if err != nil {
			t.Fatal(err)
		}
		stream = append(stream, part[:size]...)
		if _, err := Parse(stream, 64<<10); !errors.Is(err, ErrIncomplete) {
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

// whole returns the content of the records, also of an incomplete last one.
func whole(stream []byte) (all []byte) {
	for len(stream) >= recordHeader {
		size := min(recordHeader+int(binary.BigEndian.Uint16(stream[3:])), len(stream))
		all = append(all, stream[recordHeader:size]...)
		stream = stream[size:]
	}
	return all
}

// written returns a hello with these encoded extensions.
func written(extensions ...string) []byte {
	body := "\x03\x03" + strings.Repeat("r", randomBytes) + vector(1, "session") + "\x00\x02\x13\x01" + "\x01\x00" + vector(2, strings.Join(extensions, ""))
	return wrapped("\x01" + vector(3, body))
}

// wrapped returns a message as one record, which may be too long: then it must be split.
func wrapped(message string) []byte {
	return []byte("\x16\x03\x01" + vector(2, message))
}

func vector(bytes int, content string) string {
	length := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	return string(length[4-bytes:]) + content
}

func extension(kind byte, content string) string { return "\x00" + string(kind) + vector(2, content) }

func named(name string) string {
	return extension(serverNameExtension, vector(2, "\x00"+vector(2, name)))
}

// keys returns the extension of pre-shared keys with these identities and proofs.
func keys(identities, proofs []string) string {
	var list, binders string
	for _, identity := range identities {
		list += vector(2, identity) + "\x00\x00\x00\x07"
	}
	for _, proof := range proofs {
		binders += vector(1, proof)
	}
	return extension(preSharedKeyExtension, vector(2, list)+vector(2, binders))
}

// padding returns an unknown extension of this size in all.
func padding(bytes int) string { return extension(21, strings.Repeat("p", bytes-4)) }

// content is a hello in a form that can be compared.
type content struct {
	Name, SessionID, Ticket string
	Protocols, Identities   []string
}

func contentOf(h Hello) content {
	c := content{Name: string(h.ServerName), SessionID: string(h.SessionID), Ticket: string(h.Ticket)}
	for protocol := range h.Protocols() {
		c.Protocols = append(c.Protocols, string(protocol))
	}
	for identity := range h.Identities() {
		c.Identities = append(c.Identities, string(identity))
	}
	return c
}
