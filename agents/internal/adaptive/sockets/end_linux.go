package sockets

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/diag"
	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// End ends the connections of this node to a backend, in all network namespaces, and returns how many. Their
// applications get the error "connection aborted". It is for removed backends: one that is up gets the next.
func (e *Engine) End(backend datapath.Key) (ended int, err error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	sockets, err := e.list()
	if err != nil {
		return 0, err
	}
	bySpace := map[uint32][]listed{}
	for _, socket := range sockets {
		to := datapath.Key{Address: program.FromAddress(socket.To), Port: bpf.Wire(socket.ToPort), Protocol: datapath.Protocol(socket.Protocol)}
		if to == backend {
			bySpace[socket.Space] = append(bySpace[socket.Space], socket)
		}
	}
	if len(bySpace) == 0 {
		return 0, nil
	}
	var errs []error
	for inode, path := range diag.Spaces() {
		if len(bySpace[inode]) == 0 {
			continue
		}
		done, err := endIn(path, bySpace[inode])
		ended += done
		errs = append(errs, err)
		delete(bySpace, inode)
	}
	for inode, left := range bySpace {
		errs = append(errs, fmt.Errorf("%d connections to %s stay, because their network namespace %d was not found: "+
			"run the agent in the host's PID namespace", len(left), backend, inode))
	}
	return ended, errors.Join(errs...)
}

func endIn(path string, sockets []listed) (ended int, err error) {
	conn, err := diag.Dial(path)
	if err != nil {
		return 0, fmt.Errorf("end connections by netlink: %w", err)
	}
	defer conn.Close()
	var errs []error
	for _, socket := range sockets {
		switch _, err := conn.Execute(destroy(socket)); {
		case err == nil:
			ended++
		case errors.Is(err, unix.ENOENT): // it ended meanwhile
		case errors.Is(err, unix.EOPNOTSUPP):
			return ended, fmt.Errorf("end connections: this kernel was built without CONFIG_INET_DIAG_DESTROY: %w", err)
		default:
			errs = append(errs, fmt.Errorf("end a connection: %w", err))
		}
	}
	return ended, errors.Join(errs...)
}

const (
	sockDestroy  = 21 // SOCK_DESTROY
	requestBytes = 56 // struct inet_diag_req_v2
)

// destroy ends one socket. The cookie makes sure that it isn't another one with the same ports.
func destroy(socket listed) netlink.Message {
	request := make([]byte, requestBytes)
	request[0], request[1] = byte(socket.Family), byte(socket.Protocol)
	binary.NativeEndian.PutUint32(request[4:], 0xffffffff) // in any state
	binary.NativeEndian.PutUint16(request[8:], socket.SourcePort)
	binary.NativeEndian.PutUint16(request[10:], socket.ToPort)
	source, to := socket.Source.Word[:], socket.To.Word[:]
	if socket.Family == unix.AF_INET {
		source, to = source[3:], to[3:]
	}
	for i := range source {
		binary.NativeEndian.PutUint32(request[12+4*i:], source[i])
		binary.NativeEndian.PutUint32(request[28+4*i:], to[i])
	}
	binary.NativeEndian.PutUint64(request[48:], socket.Cookie)
	return netlink.Message{Header: netlink.Header{Type: sockDestroy, Flags: netlink.Request | netlink.Acknowledge}, Data: request}
}
