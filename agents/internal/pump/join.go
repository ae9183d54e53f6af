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
	JoinReading(client, server, fromClient, fromServer, nil)
}

// JoinReading does the same, and calls first with what the server sent first, before that is written.
func JoinReading(client, server *net.TCPConn, fromClient, fromServer func(bytes int), first func(data []byte)) {
	var backward sync.WaitGroup
	backward.Go(func() { oneWay(server, client, fromServer, first) })
	oneWay(client, server, fromClient, nil)
	backward.Wait()
	_ = client.Close()
	_ = server.Close()
}

func oneWay(from, to *net.TCPConn, each func(bytes int), first func(data []byte)) {
	if err := Copy(from, to, each, first); err != nil {
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
