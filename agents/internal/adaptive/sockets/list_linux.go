package sockets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// list returns the sockets that count as open connections, of all network namespaces.
func (e *Engine) list() (out []listed, err error) {
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
