package datapathtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// serve starts the servers of a backend. TCP uses lines: "who" returns "NAME CLIENT",
// "take N" reads N bytes and returns their checksum, "give N" sends N bytes, "sent"
// returns how many segments and bytes were sent, "GET …" returns NAME by HTTP. "late" reads
// to the end and returns NAME when it is released, "shut" ends the server's side only, and
// "quit" both. UDP
// returns "NAME CLIENT QUESTION", or only the length of a long question; "give N" returns
// N bytes.
func (h *Host) serve(t *testing.T) {
	t.Helper()
	for _, port := range append([]uint16{BackendPort}, ServicePorts...) {
		listener, err := h.Space.Listen(t.Context(), "tcp", fmt.Sprintf(":%d", port))
		must(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		go h.accept(listener)
		// A socket for each address, so that answers come from the address of the
		// request.
		for _, address := range append([]netip.Addr{h.IPv4, h.IPv6}, serviceAddresses...) {
			socket, err := h.listenPacket(t.Context(), netip.AddrPortFrom(address, port))
			must(t, err)
			t.Cleanup(func() { _ = socket.Close() })
			go h.answerDatagrams(socket)
		}
	}
}

func (h *Host) listenPacket(ctx context.Context, at netip.AddrPort) (socket net.PacketConn, err error) {
	err = h.Space.Do(func() (err error) {
		socket, err = new(net.ListenConfig).ListenPacket(ctx, "udp", at.String())
		return err
	})
	return socket, err
}

func (h *Host) answerDatagrams(socket net.PacketConn) {
	buffer := make([]byte, 1<<16)
	for {
		n, from, err := socket.ReadFrom(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		question := buffer[:n]
		if n > longQuestion {
			question = fmt.Append(nil, n)
		}
		if err != nil {
			continue
		}
		if size, isGive := strings.CutPrefix(string(question), "give "); isGive {
			if n, err := strconv.Atoi(size); err == nil {
				_, _ = socket.WriteTo(pattern(n), from)
			}
			continue
		}
		_, _ = fmt.Fprintf(to{socket, from}, "%s %s %s", h.Name, from, question)
	}
}

const longQuestion = 1024

func (h *Host) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			_ = h.converse(conn)
		}()
	}
}

func (h *Host) converse(conn net.Conn) error {
	reader := bufio.NewReader(conn)
	client, err := readProxyHeader(reader)
	if err != nil {
		return err
	}
	if client == "" {
		client = conn.RemoteAddr().String()
	}
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return err
		}
		if err := h.obey(strings.Fields(line), client, reader, conn); err != nil {
			return err
		}
	}
}

func (h *Host) obey(words []string, client string, reader *bufio.Reader, writer net.Conn) error {
	switch {
	case len(words) == 1 && words[0] == "who":
		_, err := fmt.Fprintf(writer, "%s %s\n", h.Name, client)
		return err
	case len(words) == 2 && words[0] == "take":
		size, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			return err
		}
		sum := crc32.NewIEEE()
		if _, err := io.CopyN(sum, reader, size); err != nil {
			return err
		}
		_, err = fmt.Fprintf(writer, "%08x\n", sum.Sum32())
		return err
	case len(words) == 2 && words[0] == "give":
		size, err := strconv.Atoi(words[1])
		if err != nil {
			return err
		}
		_, err = writer.Write(pattern(size))
		return err
	case len(words) == 1 && words[0] == "sent":
		info, err := readTCPInfo(writer)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(writer, info.Segs_out, info.Bytes_sent)
		return err
	case len(words) == 1 && words[0] == "late":
		if _, err := io.Copy(io.Discard, reader); err != nil {
			return err
		}
		<-h.late
		_, err := fmt.Fprintln(writer, h.Name)
		return errors.Join(err, io.EOF)
	case len(words) == 1 && words[0] == "shut":
		return closeWrite(writer)
	case len(words) == 1 && words[0] == "quit":
		return io.EOF
	case len(words) > 1 && words[0] == "GET":
		for header := words; len(header) > 0; {
			line, err := reader.ReadString('\n')
			if err != nil {
				return err
			}
			header = strings.Fields(line)
		}
		if _, err := fmt.Fprintf(writer, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(h.Name), h.Name); err != nil {
			return err
		}
		return io.EOF
	}
	return fmt.Errorf("%q is an unknown request", words)
}

// closeWrite sends FIN.
func closeWrite(conn net.Conn) error {
	tcp, isTCP := conn.(*net.TCPConn)
	if !isTCP {
		return fmt.Errorf("%T has no TCP", conn)
	}
	return tcp.CloseWrite()
}

func readTCPInfo(conn net.Conn) (info *unix.TCPInfo, err error) {
	tcp, isTCP := conn.(*net.TCPConn)
	if !isTCP {
		return nil, fmt.Errorf("%T has no TCP", conn)
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil, err
	}
	if controlErr := raw.Control(func(fd uintptr) {
		info, err = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
	}); controlErr != nil {
		return nil, controlErr
	}
	return info, err
}

// pattern returns bytes that don't repeat at the size of packets.
func pattern(size int) []byte {
	bytes := make([]byte, size)
	for i := range bytes {
		bytes[i] = byte(i) ^ byte(i>>8) ^ byte(i>>16)
	}
	return bytes
}

// to writes datagrams to one address.
type to struct {
	socket  net.PacketConn
	address net.Addr
}

func (w to) Write(datagram []byte) (int, error) { return w.socket.WriteTo(datagram, w.address) }
