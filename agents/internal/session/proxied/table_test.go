package proxied

import (
	"crypto/tls"
	"encoding/binary"
	"net"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/hello"
	"fairlead.dev/agents/internal/session/ids"
	"fairlead.dev/agents/internal/session/names"
)

func nameOf(text string) (name names.Name) {
	copy(name[:], text)
	return name
}

// reply is a ServerHello with an id of 32 equal bytes, and these extensions.
func reply(id byte, extensions ...uint16) []byte {
	body := append([]byte{3, 3}, make([]byte, 32)...)
	body = append(body, idBytes)
	body = append(body, slices.Repeat([]byte{id}, idBytes)...)
	body = append(body, 0xc0, 0x2f, 0)
	if len(extensions) > 0 {
		body = binary.BigEndian.AppendUint16(body, uint16(5*len(extensions)))
		for _, kind := range extensions {
			body = append(binary.BigEndian.AppendUint16(body, kind), 0, 1, 9)
		}
	}
	message := append([]byte{serverHello, 0, 0, byte(len(body))}, body...)
	return append([]byte{handshake, 3, 3, 0, byte(len(message))}, message...)
}

func withID(id byte) *hello.Hello {
	return &hello.Hello{SessionID: slices.Repeat([]byte{id}, idBytes)}
}

func TestOnlySessionsThatReturnByTheirIDAreLearned(t *testing.T) {
	whole := reply(1, 23)
	for name, c := range map[string]struct {
		reply []byte
		want  bool
	}{
		"without extensions": {reply(1), true}, "with others": {reply(1, 23, 65281), true}, "followed by more": {append(reply(1), 22, 3, 3), true},
		"with a ticket": {reply(1, 23, ticketExtension), false}, "TLS 1.3": {reply(1, versionsExtension), false},
		"incomplete": {whole[:len(whole)-1], false}, "nothing": {nil, false}, "no TLS": {[]byte("HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n" + string(make([]byte, 300))), false},
	} {
		table := NewTable(nil)
		table.Set(Service{Resumes: map[string]bool{"a": true}, IDs: true})
		table.Learn("a", c.reply)
		if got := table.Choose(withID(1)); (got == "a") != c.want {
			t.Errorf("%s: a client returns to %q", name, got)
		}
	}
}

func TestIDsFollowTheirServiceAndExpire(t *testing.T) {
	table := NewTable(nil)
	table.Set(Service{Resumes: map[string]bool{"a": true, "b": true}})
	table.Learn("a", reply(1))
	table.Set(Service{Resumes: map[string]bool{"a": true, "b": true}, IDs: true})
	if got := table.Choose(withID(1)); got != "" {
		t.Errorf("learned while switched off: %q", got)
	}
	table.Learn("a", reply(1))
	table.Learn("b", reply(1))
	if got := table.Choose(withID(1)); got != "b" {
		t.Errorf("the newest backend of an id is b, not %q", got)
	}
	table.Set(Service{Resumes: map[string]bool{"b": true}, IDs: true, Lifetime: time.Nanosecond})
	if got := table.Choose(withID(1)); got != "" {
		t.Errorf("an id that expired led to %q", got)
	}
}

func TestTablesShareTheRoomForIDs(t *testing.T) {
	room := ids.NewRoom[string]()
	one, other := NewTable(room), NewTable(room)
	for i, table := range []*Table{one, other} {
		table.Set(Service{Resumes: map[string]bool{"a": true}, IDs: true})
		table.Learn("a", reply(byte(i)))
	}
	if one.Close(); room.Len() != 1 || one.Choose(withID(0)) != "" || other.Choose(withID(1)) != "a" || other.Choose(withID(0)) != "" {
		t.Errorf("%d ids", room.Len())
	}
}

// resuming is the hello of a client with a ticket of this name.
func resuming(t *testing.T, version uint16, ticket string) *hello.Hello {
	t.Helper()
	cache := tls.NewLRUClientSessionCache(1)
	server := serverOf(t, version, ticket)
	config := &tls.Config{ServerName: "a.test", InsecureSkipVerify: true, ClientSessionCache: cache, MinVersion: version, MaxVersion: version}
	conn, err := tls.Dial("tcp", server, config)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = conn.Read(make([]byte, 1)) // the ticket of TLS 1.3 comes after the handshake
	_ = conn.Close()
	client, end := net.Pipe()
	defer end.Close()
	go func() { _ = tls.Client(client, config).Handshake(); _ = client.Close() }()
	stream := make([]byte, 0, 1<<16)
	for {
		part := make([]byte, 1<<14)
		size, err := end.Read(part)
		if err != nil {
			t.Fatal(err)
		}
		stream = append(stream, part[:size]...)
		if h, err := hello.Parse(stream, 1<<16); err == nil {
			return &h
		}
	}
}

func TestClientsReturnByTheNameOfTheirTicket(t *testing.T) {
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		outcome := func(c Counts) Outcomes {
			if version == tls.VersionTLS12 {
				return c.ByTicket
			}
			return c.ByKey
		}
		h := resuming(t, version, "server a 0000000")
		table := NewTable(nil)
		if got := table.Choose(h); got != "" || outcome(table.Counts()) != (Outcomes{Unknown: 1}) {
			t.Errorf("an unknown name led to %q: %+v", got, table.Counts())
		}
		known := map[names.Name]string{nameOf("server a 0000000"): "a"}
		table.Set(Service{Names: known, Resumes: map[string]bool{"a": true}})
		if got := table.Choose(h); got != "a" || outcome(table.Counts()) != (Outcomes{Unknown: 1, Home: 1}) {
			t.Errorf("led to %q: %+v", got, table.Counts())
		}
		table.Set(Service{Names: known, Resumes: map[string]bool{"a": false}})
		if got := table.Choose(h); got != "" || outcome(table.Counts()) != (Outcomes{Unknown: 1, Home: 1, Gone: 1}) {
			t.Errorf("a backend that takes none: %q: %+v", got, table.Counts())
		}
		table.Set(Service{Former: map[names.Name]struct{}{nameOf("server a 0000000"): {}}})
		if got := table.Choose(h); got != "" || outcome(table.Counts()) != (Outcomes{Unknown: 1, Home: 1, Gone: 2}) {
			t.Errorf("a former backend: %q: %+v", got, table.Counts())
		}
		table.Choose(&hello.Hello{ListsVersions: true, SessionID: make([]byte, idBytes)})
		if c := table.Counts(); c.WithoutSession != 1 {
			t.Errorf("a new session: %+v", c)
		}
	}
}

func TestSessionsThatReturnByTheirIDAreReported(t *testing.T) {
	var got []byte
	table := NewTable(nil)
	table.WhenSessionsBegin(func(id [32]byte) { got = append(got, id[0]) })
	table.Learn("a", reply(1)) // ids are off
	table.Set(Service{Resumes: map[string]bool{"a": true}, IDs: true})
	table.Learn("a", reply(2))
	table.Learn("a", reply(3, versionsExtension))
	table.WhenSessionsBegin(nil)
	table.Learn("a", reply(4))
	if !slices.Equal(got, []byte{2}) {
		t.Errorf("reported %v", got)
	}
}
