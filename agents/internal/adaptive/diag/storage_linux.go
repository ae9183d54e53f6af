package diag

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"

	"github.com/cilium/ebpf"
	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// Socket is one that has an entry in a map.
type Socket struct {
	Space      uint32 // inode of its network namespace
	Family     uint16
	Protocol   uint16
	Cookie     uint64
	Source     netip.Addr
	SourcePort uint16 // in network order
	Value      []byte // of its entry
}

// Each passes all sockets that have an entry in the map, a socket storage, of all network namespaces with a process or a
// name. A socket whose connect has only begun may be missing.
func Each(storage *ebpf.Map, each func(Socket)) error {
	for inode, path := range Spaces() {
		if err := eachIn(inode, path, storage, each); err != nil && !isGone(err) {
			return fmt.Errorf("list sockets by netlink: %w", err)
		}
	}
	return nil
}

// isGone reports whether a namespace was removed after it was found. Its name may stay for a moment, as a plain file.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.EINVAL) }

func eachIn(inode uint32, path string, storage *ebpf.Map, each func(Socket)) error {
	conn, err := Dial(path)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, protocol := range []uint8{unix.IPPROTO_TCP, unix.IPPROTO_UDP} {
		for _, family := range []uint8{unix.AF_INET, unix.AF_INET6} {
			request, err := requestOf(family, protocol, storage)
			if err != nil {
				return err
			}
			messages, err := conn.Execute(request)
			if err != nil {
				return err
			}
			for _, message := range messages {
				socket, err := parse(message.Data)
				if err != nil {
					return err
				}
				if socket.Value != nil {
					socket.Space, socket.Protocol = inode, uint16(protocol)
					each(socket)
				}
			}
		}
	}
	return nil
}

// Dial opens a connection to the kernel's list of sockets of a network namespace.
func Dial(path string) (conn *netlink.Conn, err error) {
	space, err := netspace.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer space.Close()
	err = space.Do(func() (err error) { conn, err = netlink.Dial(unix.NETLINK_INET_DIAG, nil); return err })
	return conn, err
}

// Numbers of linux/sock_diag.h and linux/inet_diag.h.
const (
	sockDiagByFamily    = 20
	requestBytes        = 56 // struct inet_diag_req_v2
	messageBytes        = 72 // struct inet_diag_msg
	requestStorages     = 2  // INET_DIAG_REQ_SK_BPF_STORAGES
	requestMap          = 1  // SK_DIAG_BPF_STORAGE_REQ_MAP_FD
	messageStorages     = 20 // INET_DIAG_SK_BPF_STORAGES
	messageStorage      = 1  // SK_DIAG_BPF_STORAGE
	messageStorageValue = 3  // SK_DIAG_BPF_STORAGE_MAP_VALUE
	listening           = 10 // TCP_LISTEN
)

func requestOf(family, protocol uint8, storage *ebpf.Map) (netlink.Message, error) {
	data := make([]byte, requestBytes)
	data[0], data[1] = family, protocol
	binary.NativeEndian.PutUint32(data[4:], ^uint32(1<<listening))
	attributes := netlink.NewAttributeEncoder()
	attributes.Nested(requestStorages, func(nested *netlink.AttributeEncoder) error {
		nested.Uint32(requestMap, uint32(storage.FD()))
		return nil
	})
	encoded, err := attributes.Encode()
	return netlink.Message{
		Header: netlink.Header{Type: sockDiagByFamily, Flags: netlink.Request | netlink.Dump},
		Data:   append(data, encoded...),
	}, err
}

// parse returns a socket without a value if it has no entry in the map.
func parse(data []byte) (socket Socket, err error) {
	if len(data) < messageBytes {
		return socket, fmt.Errorf("%d bytes of a socket, want %d", len(data), messageBytes)
	}
	socket.Family, socket.SourcePort = uint16(data[0]), binary.NativeEndian.Uint16(data[4:])
	if socket.Source = netip.AddrFrom16([16]byte(data[8:24])); socket.Family == unix.AF_INET {
		socket.Source = netip.AddrFrom4([4]byte(data[8:12]))
	}
	socket.Cookie = binary.NativeEndian.Uint64(data[44:])
	attributes, err := netlink.NewAttributeDecoder(data[messageBytes:])
	if err != nil {
		return socket, err
	}
	for attributes.Next() {
		if attributes.Type() == messageStorages {
			attributes.Nested(func(storages *netlink.AttributeDecoder) error { return valueOf(storages, &socket) })
		}
	}
	return socket, attributes.Err()
}

func valueOf(storages *netlink.AttributeDecoder, socket *Socket) error {
	for storages.Next() {
		if storages.Type() != messageStorage {
			continue
		}
		storages.Nested(func(one *netlink.AttributeDecoder) error {
			for one.Next() {
				if one.Type() == messageStorageValue {
					socket.Value = one.Bytes()
				}
			}
			return one.Err()
		})
	}
	return storages.Err()
}
