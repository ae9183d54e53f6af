package userspace

import (
	"errors"
	"io"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/pump"
)

// answer passes the backend's datagrams to the client.
func (s *session) answer() {
	r, err := pump.NewReader(s.server)
	if err != nil {
		return
	}
	for {
		buffer, size, err := r.Next()
		if err == nil || errors.Is(err, io.EOF) { // an empty datagram doesn't end the session
			if waited, first := s.request.stop(); first {
				s.counts.answered(waited)
			}
			s.counts.sent(size, headerBytes(s.front.service.key))
			_ = s.server.SetReadDeadline(time.Now().Add(sessionIdleMost))
			_, err = s.front.conn.WriteToUDPAddrPort(buffer[:size], s.client)
		} else if errors.Is(err, unix.ECONNREFUSED) {
			s.front.service.lose(s.backend)
		}
		buffer.Release()
		if err != nil {
			return
		}
	}
}
