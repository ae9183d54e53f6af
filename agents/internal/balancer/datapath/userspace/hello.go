package userspace

import (
	"errors"
	"net"
)

// awaitHello waits for a client's hello. If none arrives, it closes the connection and
// returns false.
func (f *tcpFront) awaitHello(client *net.TCPConn) (hello, bool) {
	hellos := &f.service.limits.hellos
	visit := hellos.enter(f, client, hellos.time)
	if f.ctx.Err() != nil { // close may have ended all waits already
		_ = client.Close()
	}
	received, err := readHello(client)
	stays := hellos.leave(visit)
	switch {
	case err == nil && stays:
		return received, true
	case errors.Is(err, errLeft):
		_ = client.Close()
	default:
		f.service.drop(noHello)
		reset(client)
	}
	received.free()
	return hello{}, false
}
