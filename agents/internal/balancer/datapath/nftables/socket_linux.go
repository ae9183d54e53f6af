package nftables

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// batchBytes is the size of a batch that needn't be atomic: less than an unprivileged
// socket may send.
const batchBytes = 100 << 10

// socket is a netlink connection to nf_tables of the network namespace it was opened in.
// The google/nftables connection isn't used: it has no fwd expression and sends
// everything at once, which an unprivileged socket can't.
type socket struct {
	fd       int
	sequence uint32
}

// message is one request: kind is NFT_MSG_…; does describes it in errors.
type message struct {
	kind   uint16
	flags  uint16
	family uint8
	does   string
	body   []byte
}

func openSocket() (*socket, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_NETFILTER)
	if err != nil {
		return nil, fmt.Errorf("open netlink of netfilter: %w", err)
	}
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return nil, errors.Join(fmt.Errorf("bind netlink of netfilter: %w", err), unix.Close(fd))
	}
	// Use a larger buffer if permitted, for a commit of very many services; otherwise the
	// default.
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUFFORCE, 16<<20) != nil {
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF, 16<<20)
	}
	return &socket{fd: fd}, nil
}

func (s *socket) close() error { return unix.Close(s.fd) }

// commit applies all messages or none.
func (s *socket) commit(messages []message) error {
	if len(messages) == 0 {
		return nil
	}
	batch, last, err := s.request(messages)
	if err != nil {
		return err
	}
	var failure error
	for {
		answers, err := s.receive()
		if err != nil {
			return err
		}
		for _, answer := range answers {
			at := answer.Header.Sequence - batch
			if answer.Header.Type != netlink.Error || at > last-batch {
				continue // an answer to an earlier batch
			}
			if code := -int32(binary.NativeEndian.Uint32(answer.Data)); code != 0 && failure == nil {
				failure = unix.Errno(code)
				if at > 0 {
					failure = fmt.Errorf("%s: %w", messages[at-1].does, failure)
				}
			}
			// An answer to the batch itself, as for one without privileges, is the only
			// one.
			if at == 0 || at == last-batch {
				return failure
			}
		}
	}
}

// request sends one batch and returns the sequence numbers of the batch and its last
// message.
func (s *socket) request(messages []message) (batch, last uint32, err error) {
	border := make([]byte, 4)
	binary.BigEndian.PutUint16(border[2:], unix.NFNL_SUBSYS_NFTABLES)
	request := s.header(nil, unix.NFNL_MSG_BATCH_BEGIN, unix.NLM_F_REQUEST, border)
	batch = s.sequence
	for i, m := range messages {
		flags := m.flags | unix.NLM_F_REQUEST
		if i == len(messages)-1 {
			flags |= unix.NLM_F_ACK // errors are always sent; one acknowledgement shows that there were none
		}
		request = s.message(request, m, flags)
	}
	last = s.sequence
	request = s.header(request, unix.NFNL_MSG_BATCH_END, unix.NLM_F_REQUEST, border)
	if err := unix.Sendto(s.fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return 0, 0, fmt.Errorf("send %d bytes to nf_tables: %w", len(request), err)
	}
	return batch, last, nil
}

// dump requests all objects of a kind and calls each with their attributes.
func (s *socket) dump(m message, each func(kind uint16, attributes *netlink.AttributeDecoder) error) error {
	for range 10 { // a concurrent change requires another read, with a limit
		again, err := s.dumpOnce(m, each)
		if err != nil {
			return fmt.Errorf("%s: %w", m.does, err)
		}
		if !again {
			return nil
		}
	}
	return fmt.Errorf("%s: it changes faster than it can be read", m.does)
}

func (s *socket) dumpOnce(m message, each func(uint16, *netlink.AttributeDecoder) error) (again bool, err error) {
	request := s.message(nil, m, m.flags|unix.NLM_F_REQUEST|unix.NLM_F_ACK)
	if err := unix.Sendto(s.fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return false, err
	}
	for {
		answers, err := s.receive()
		if err != nil {
			return false, err
		}
		for _, answer := range answers {
			again = again || answer.Header.Flags&unix.NLM_F_DUMP_INTR != 0
			switch {
			case answer.Header.Sequence != s.sequence:
			case answer.Header.Type == netlink.Error, answer.Header.Type == netlink.Done:
				if len(answer.Data) >= 4 {
					if code := -int32(binary.NativeEndian.Uint32(answer.Data)); code != 0 {
						return false, unix.Errno(code)
					}
				}
				return again, nil
			default:
				attributes, err := decoder(answer.Data[4:])
				if err == nil {
					err = each(uint16(answer.Header.Type)&0xff, attributes)
				}
				if err != nil {
					return false, err
				}
			}
		}
	}
}

func (s *socket) message(to []byte, m message, flags uint16) []byte {
	return s.header(to, unix.NFNL_SUBSYS_NFTABLES<<8|m.kind, flags, append([]byte{m.family, unix.NFNETLINK_V0, 0, 0}, m.body...))
}

func (s *socket) header(to []byte, kind, flags uint16, body []byte) []byte {
	s.sequence++
	to = binary.NativeEndian.AppendUint32(to, uint32(unix.SizeofNlMsghdr+len(body)))
	to = binary.NativeEndian.AppendUint16(to, kind)
	to = binary.NativeEndian.AppendUint16(to, flags)
	to = binary.NativeEndian.AppendUint32(to, s.sequence)
	to = binary.NativeEndian.AppendUint32(to, 0)
	to = append(to, body...)
	return append(to, make([]byte, -len(to)&3)...)
}

func (s *socket) receive() ([]netlink.Message, error) {
	buffer := make([]byte, 64<<10)
	n, _, err := unix.Recvfrom(s.fd, buffer, 0)
	for errors.Is(err, unix.EINTR) {
		n, _, err = unix.Recvfrom(s.fd, buffer, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("receive from nf_tables: %w", err)
	}
	return split(buffer[:n])
}

// split parses the messages of one datagram.
func split(datagram []byte) (messages []netlink.Message, err error) {
	for rest := datagram; len(rest) >= unix.SizeofNlMsghdr; {
		size := int(binary.NativeEndian.Uint32(rest))
		if size < unix.SizeofNlMsghdr || size > len(rest) {
			return nil, fmt.Errorf("nf_tables sent %d bytes with a length of %d", len(rest), size)
		}
		var m netlink.Message
		m.Header.Type = netlink.HeaderType(binary.NativeEndian.Uint16(rest[4:]))
		m.Header.Flags = netlink.HeaderFlags(binary.NativeEndian.Uint16(rest[6:]))
		m.Header.Sequence = binary.NativeEndian.Uint32(rest[8:])
		m.Data = rest[unix.SizeofNlMsghdr:size]
		messages = append(messages, m)
		rest = rest[min((size+3)&^3, len(rest)):]
	}
	return messages, nil
}

func decoder(bytes []byte) (*netlink.AttributeDecoder, error) {
	attributes, err := netlink.NewAttributeDecoder(bytes)
	if err != nil {
		return nil, fmt.Errorf("parse a message of nf_tables: %w", err)
	}
	attributes.ByteOrder = binary.BigEndian
	return attributes, nil
}
