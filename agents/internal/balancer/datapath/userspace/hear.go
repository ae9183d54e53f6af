package userspace

import (
	"errors"
	"net"
)

// hear waits until a client says which server it wants. Of one that doesn't, and is
// closed here, it is no.
func (f *tcpFront) hear(client *net.TCPConn) (hello, bool) {
	hellos := &f.service.limits.hellos
	visit := hellos.enter(f, client, hellos.time)
	if f.ctx.Err() != nil { // what ends all waits may have been there before
		_ = client.Close()
	}
	said, err := readHello(client)
	stays := hellos.leave(visit)
	switch {
	case err == nil && stays:
		return said, true
	case errors.Is(err, errLeft):
		_ = client.Close()
	default:
		f.service.drop(noHello)
		reset(client)
	}
	said.free()
	return hello{}, false
}
