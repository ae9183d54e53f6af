package userspace

import (
	"io"
	"net"
	"time"
)

// unrecognizedName is the alert for an unknown server name (RFC 6066, section 3), as a
// record.
var unrecognizedName = []byte{21, 3, 3, 0, 2, 2, 112}

const (
	lingerTime  = time.Second
	lingerBytes = 256 << 10
)

// refuse sends a client the alert for an unknown name. It reads what the client sends
// meanwhile, because closing a connection with unread data sends a reset, which may
// overtake the alert.
func (f *tcpFront) refuse(client *net.TCPConn) {
	hellos := &f.service.limits.hellos
	defer hellos.Leave(hellos.Enter(f, client, lingerTime))
	if _, err := client.Write(unrecognizedName); err == nil && client.CloseWrite() == nil {
		_, _ = io.CopyN(io.Discard, client, lingerBytes)
	}
	_ = client.Close()
}
