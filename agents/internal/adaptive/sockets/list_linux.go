package sockets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"fairlead.dev/agents/internal/adaptive/diag"
	"fairlead.dev/agents/internal/adaptive/program"
)

// list returns the sockets that count as open connections, of all network namespaces.
func (e *Engine) list() (out []listed, err error) {
	if e.lister == nil {
		return e.listByNetlink()
	}
	records, err := e.lister.Open()
	if err != nil {
		return nil, fmt.Errorf("list sockets: %w", err)
	}
	defer records.Close()
	all, err := io.ReadAll(records)
	if err != nil {
		return nil, fmt.Errorf("list sockets: %w", err)
	}
	size := binary.Size(listed{})
	if len(all)%size != 0 {
		return nil, errors.New("list sockets: the last one is incomplete")
	}
	out = make([]listed, len(all)/size)
	_, err = binary.Decode(all, binary.NativeEndian, out)
	return out, err
}

// listByNetlink is for kernels that refuse the program which lists sockets.
func (e *Engine) listByNetlink() (out []listed, err error) {
	var invalid error
	err = diag.Each(e.maps[program.SocketsMapSockets], func(socket diag.Socket) {
		var chosen program.SocketsChosen
		if _, err := binary.Decode(socket.Value, binary.NativeEndian, &chosen); err != nil {
			invalid = fmt.Errorf("list sockets: %w", err)
			return
		}
		if chosen.Live == 0 {
			return
		}
		out = append(out, listed{
			Cookie: socket.Cookie, Space: socket.Space, Place: chosen.Place, Backend: chosen.Backend,
			Source: program.ToAddress(socket.Source), SourcePort: socket.SourcePort, To: chosen.To, ToPort: chosen.ToPort,
			Family: socket.Family, Protocol: socket.Protocol,
		})
	})
	return out, errors.Join(err, invalid)
}
