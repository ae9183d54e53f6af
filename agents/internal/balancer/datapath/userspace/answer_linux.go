package userspace

import (
	"errors"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// answer takes a buffer only when there is something to read, as pump does.
func (s *session) answer() {
	raw, err := s.server.SyscallConn()
	if err != nil {
		return
	}
	r := &reader{raw: raw}
	for {
		buffer, size, err := r.next()
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
		if buffer != nil {
			buffers.Put(buffer)
		}
		if err != nil {
			return
		}
	}
}
