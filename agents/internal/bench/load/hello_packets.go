package load

import "net"

const mostHelloPackets = 16

// split returns a connection whose first write, the ClientHello, leaves in several packets: sockets send each
// write at once.
func (o TLSOptions) split(conn net.Conn) net.Conn {
	if o.HelloPackets <= 1 {
		return conn
	}
	return &splitting{conn, o.HelloPackets}
}

type splitting struct {
	net.Conn
	left int
}

// Write sends the first data in parts of nearly the same size.
func (s *splitting) Write(text []byte) (sent int, err error) {
	for ; s.left > 1; s.left-- {
		n, err := s.Conn.Write(text[sent : sent+(len(text)-sent)/s.left])
		if sent += n; err != nil {
			return sent, err
		}
	}
	n, err := s.Conn.Write(text[sent:])
	return sent + n, err
}
