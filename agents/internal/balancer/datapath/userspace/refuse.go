package userspace

import (
	"io"
	"net"
	"time"
)

// unrecognizedName is the alert that ends a hello (RFC 6066, section 3), as a record.
var unrecognizedName = []byte{21, 3, 3, 0, 2, 2, 112}

const (
	lingerTime  = time.Second
	lingerBytes = 256 << 10
)

// refuse tells a client that nobody here has that name. What it says meanwhile is read,
// because a connection that is closed with something unread ends by a reset, which may
// overtake the alert.
func (f *tcpFront) refuse(client *net.TCPConn) {
	hellos := &f.service.limits.hellos
	defer hellos.leave(hellos.enter(f, client, lingerTime))
	if _, err := client.Write(unrecognizedName); err == nil && client.CloseWrite() == nil {
		_, _ = io.CopyN(io.Discard, client, lingerBytes)
	}
	_ = client.Close()
}
