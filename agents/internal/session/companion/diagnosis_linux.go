package companion

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"sync"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/session/message"
)

// diagnosis finds sockets of the current namespace.
type diagnosis struct {
	mutex sync.Mutex
	conn  *netlink.Conn
}

// socket is one that the kernel found.
type socket struct {
	state       byte
	isMultipath bool
}

func openDiagnosis() (*diagnosis, error) {
	conn, err := netlink.Dial(unix.NETLINK_INET_DIAG, nil)
	if err != nil {
		return nil, fmt.Errorf("find sockets by netlink: %w", err)
	}
	return &diagnosis{conn: conn}, nil
}

const (
	byFamily      = 20     // SOCK_DIAG_BY_FAMILY
	requestBytes  = 56     // struct inet_diag_req_v2
	replyBytes    = 72     // struct inet_diag_msg
	protocolAbove = 19     // INET_DIAG_ULP_INFO
	nameOf        = 1      // INET_ULP_INFO_NAME, in it
	informs       = 1 << 1 // with INET_DIAG_INFO and what belongs to it
	stateTimeWait = 6
	stateListen   = 10
)

// answer returns whether there is a socket of a connection. A packet without one goes to the
// listener.
func (d *diagnosis) answer(service, client netip.AddrPort) (message.Kind, error) {
	found, err := d.find(service, client)
	switch {
	case found == nil || found.state == stateListen:
		return message.HasNot, err
	case found.state == stateTimeWait:
		return message.Had, err
	}
	return message.Has, err
}

// listener returns the socket that gets new connections, or nil.
func (d *diagnosis) listener(service netip.AddrPort) (*socket, error) {
	found, err := d.find(service, netip.AddrPortFrom(unused(service.Addr()), 1))
	if found != nil && found.state != stateListen {
		return nil, err
	}
	return found, err
}

// unused returns an address that no client has.
func unused(of netip.Addr) netip.Addr {
	if of.Is4() {
		return netip.AddrFrom4([4]byte{192, 0, 2, 255})
	}
	return netip.MustParseAddr("100::1")
}

// find returns the socket that gets a connection's packets, or nil.
func (d *diagnosis) find(service, client netip.AddrPort) (*socket, error) {
	request := make([]byte, requestBytes)
	request[0], request[1], request[2] = unix.AF_INET6, unix.IPPROTO_TCP, informs
	if service.Addr().Is4() {
		request[0] = unix.AF_INET
	}
	binary.NativeEndian.PutUint32(request[4:], 0xffffffff) // in any state
	binary.BigEndian.PutUint16(request[8:], service.Port())
	binary.BigEndian.PutUint16(request[10:], client.Port())
	copy(request[12:], service.Addr().AsSlice())
	copy(request[28:], client.Addr().AsSlice())
	binary.NativeEndian.PutUint64(request[48:], 0xffffffffffffffff) // whatever its cookie
	d.mutex.Lock()
	defer d.mutex.Unlock()
	found, err := d.conn.Execute(netlink.Message{Header: netlink.Header{Type: byFamily, Flags: netlink.Request}, Data: request})
	if errors.Is(err, unix.ENOENT) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find a socket: %w", err)
	}
	if len(found) == 0 || len(found[0].Data) < replyBytes {
		return nil, errors.New("find a socket: the kernel's answer is too short")
	}
	reply := found[0].Data
	return &socket{state: reply[1], isMultipath: protocolOf(reply[replyBytes:]) == "mptcp"}, nil
}

// protocolOf returns the protocol on top of TCP.
func protocolOf(attributes []byte) (name string) {
	all, err := netlink.NewAttributeDecoder(attributes)
	if err != nil {
		return ""
	}
	for all.Next() {
		if all.Type() != protocolAbove {
			continue
		}
		all.Nested(func(inner *netlink.AttributeDecoder) error {
			for inner.Next() {
				if inner.Type() == nameOf {
					name = inner.String()
				}
			}
			return nil
		})
	}
	return name
}

func (d *diagnosis) close() error { return d.conn.Close() }
