package pump

import (
	"net"
	"sync"
)

// Join copies both ways until both directions have ended, and closes both connections.
// When one direction ends, the write side of its destination is closed, which may still
// send. An error of either connection resets both. Each direction calls its function with
// the size of each read, before the bytes are written, in a goroutine of its own.
//
// Another goroutine may end it early with Reset of both.
func Join(client, server *net.TCPConn, fromClient, fromServer func(bytes int)) {
	var backward sync.WaitGroup
	backward.Go(func() { oneWay(server, client, fromServer) })
	oneWay(client, server, fromClient)
	backward.Wait()
	_ = client.Close()
	_ = server.Close()
}

func oneWay(from, to *net.TCPConn, each func(bytes int)) {
	if err := Copy(from, to, each); err != nil {
		Reset(from)
		Reset(to)
		return
	}
	_ = to.CloseWrite()
}

// Reset closes a connection with a reset, so that its peer can't mistake it for the end
// of the data. It has no effect on a closed one.
func Reset(conn *net.TCPConn) {
	_ = conn.SetLinger(0)
	_ = conn.Close()
}
