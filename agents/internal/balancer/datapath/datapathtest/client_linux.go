package datapathtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
)

// patience is how long a client waits for an answer. TCP repeats a lost packet sooner,
// but not soon.
const patience = 3 * time.Second

// Client sends requests to backends' servers from inside a namespace.
type Client struct{ Space *netspace.Space }

// Answer is a backend's answer.
type Answer struct {
	Backend string
	Client  netip.AddrPort // as the backend sees it
}

// RequestOnce opens a connection or a socket, sends one request and closes it.
func (c Client) RequestOnce(key datapath.Key) (Answer, error) {
	conn, err := c.Connect(key)
	if err != nil {
		return Answer{}, err
	}
	defer conn.Close()
	return conn.Request()
}

// Connect opens a lasting connection or socket.
func (c Client) Connect(key datapath.Key) (*Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := c.dial(ctx, key.Protocol.String(), netip.AddrPortFrom(key.Address, key.Port).String())
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", key, err)
	}
	return newConn(key, conn), nil
}

func newConn(key datapath.Key, conn net.Conn) *Conn {
	return &Conn{key: key, conn: conn, reader: bufio.NewReader(conn), Patience: patience}
}

// newPort returns an address of the client with a port that was not used before.
func (c *Conn) newPort() netip.AddrPort { return netip.AddrPortFrom(c.Local().Addr(), nextPort()) }

// connectFrom opens a connection or socket from an address and port.
func (c Client) connectFrom(from netip.AddrPort, key datapath.Key, patience time.Duration) (*Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	dialer := &net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(from)}
	if key.Protocol == datapath.UDP {
		dialer.LocalAddr = net.UDPAddrFromAddrPort(from)
	}
	for {
		conn, err := c.dialBy(ctx, dialer, key.Protocol.String(), netip.AddrPortFrom(key.Address, key.Port).String())
		if err == nil {
			return newConn(key, conn), nil
		}
		// The kernel keeps a port until the server has acknowledged the end of its earlier connection.
		if !errors.Is(err, unix.EADDRINUSE) || ctx.Err() != nil {
			return nil, fmt.Errorf("connect to %s from %s: %w", key, from, err)
		}
		time.Sleep(time.Millisecond)
	}
}

// dial never reuses a port: to a balancer that would be the earlier flow.
func (c Client) dial(ctx context.Context, network, address string) (conn net.Conn, err error) {
	port := int(nextPort())
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{Port: port}}
	if network == datapath.UDP.String() {
		dialer.LocalAddr = &net.UDPAddr{Port: port}
	}
	return c.dialBy(ctx, dialer, network, address)
}

func (c Client) dialBy(ctx context.Context, dialer *net.Dialer, network, address string) (conn net.Conn, err error) {
	err = do(c.Space, func() (err error) {
		conn, err = dialer.DialContext(ctx, network, address)
		return err
	})
	return conn, err
}

const firstPort = 1024

func nextPort() uint16 { return uint16(firstPort + int(ports.Add(1))%(1<<16-firstPort)) }

var ports atomic.Uint32

// Conn is a lasting connection or socket for many requests.
type Conn struct {
	Patience time.Duration
	key      datapath.Key
	conn     net.Conn
	reader   *bufio.Reader
}

// questions numbers requests, so that each datagram's answer is unique.
var questions atomic.Uint64

// Request gets the backend's name. Datagrams are sent once, and a lost one is an error,
// unless the machine reports that its own queue overflowed meanwhile.
func (c *Conn) Request() (Answer, error) {
	answer, _, err := c.RequestSized()
	return answer, err
}

// RequestSized is Request, and also returns the size of the answer.
func (c *Conn) RequestSized() (Answer, int, error) {
	line, err := c.exchange()
	if err != nil {
		return Answer{}, 0, fmt.Errorf("request to %s from %s: %w", c.key, c.conn.LocalAddr(), err)
	}
	words := strings.Fields(line)
	if len(words) < 2 {
		return Answer{}, 0, fmt.Errorf("request to %s: received %q", c.key, line)
	}
	client, err := netip.ParseAddrPort(words[1])
	if err != nil {
		return Answer{}, 0, fmt.Errorf("request to %s: received %q: %w", c.key, line, err)
	}
	return Answer{Backend: words[0], Client: netip.AddrPortFrom(client.Addr().Unmap(), client.Port())}, len(line), nil
}

func (c *Conn) exchange() (string, error) {
	if c.key.Protocol == datapath.TCP {
		return c.exchangeLine()
	}
	const times = 3
	for tried := 1; ; tried++ {
		before, err := overruns()
		if err != nil {
			return "", err
		}
		answer, err := c.exchangeDatagram()
		if !errors.Is(err, os.ErrDeadlineExceeded) || tried == times {
			return answer, err
		}
		if after, overrunErr := overruns(); overrunErr != nil || after == before {
			return "", errors.Join(err, overrunErr)
		}
	}
}

func (c *Conn) exchangeLine() (string, error) {
	if err := c.conn.SetDeadline(time.Now().Add(c.Patience)); err != nil {
		return "", err
	}
	if _, err := io.WriteString(c.conn, "who\n"); err != nil {
		return "", err
	}
	return c.reader.ReadString('\n')
}

func (c *Conn) exchangeDatagram() (string, error) {
	if err := c.conn.SetDeadline(time.Now().Add(c.Patience)); err != nil {
		return "", err
	}
	question := fmt.Sprint(questions.Add(1))
	if _, err := io.WriteString(c.conn, question); err != nil {
		return "", err
	}
	for buffer := make([]byte, 2048); ; {
		n, err := c.conn.Read(buffer)
		if err != nil || strings.HasSuffix(string(buffer[:n]), " "+question) {
			return string(buffer[:n]), err
		}
	}
}

// Upload sends bytes and compares the checksum that the server returns.
func (c *Conn) Upload(size int) error {
	body := pattern(size)
	sent := make(chan error, 1)
	if err := c.conn.SetDeadline(time.Now().Add(10 * patience)); err != nil {
		return err
	}
	go func() {
		_, err := fmt.Fprintf(c.conn, "take %d\n%s", size, body)
		sent <- err
	}()
	line, err := c.reader.ReadString('\n')
	if want := fmt.Sprintf("%08x\n", crc32.ChecksumIEEE(body)); err == nil && line != want {
		err = fmt.Errorf("the server received a body with checksum %q, want %q", line, want)
	}
	if err != nil {
		// A broken connection reports the reason on one side only; the other sees EOF.
		_ = c.conn.SetWriteDeadline(time.Now())
		return fmt.Errorf("upload %d bytes to %s: %w; sending: %w", size, c.key, err, <-sent)
	}
	return <-sent
}

// Download requests bytes and compares them.
func (c *Conn) Download(size int) error {
	if err := c.conn.SetDeadline(time.Now().Add(10 * patience)); err != nil {
		return err
	}
	body := make([]byte, size)
	_, err := fmt.Fprintf(c.conn, "give %d\n", size)
	if err == nil {
		_, err = io.ReadFull(c.reader, body)
	}
	if err == nil && crc32.ChecksumIEEE(body) != crc32.ChecksumIEEE(pattern(size)) {
		err = fmt.Errorf("the bytes aren't the requested ones")
	}
	if err != nil {
		return fmt.Errorf("download %d bytes from %s: %w", size, c.key, err)
	}
	return nil
}

// sent is what a server's TCP has sent on a connection, including retransmissions.
type sent struct{ segments, bytes uint64 }

// Sent requests it from the server, after all requested bytes have arrived.
func (c *Conn) Sent() (sent, error) {
	var of sent
	err := c.conn.SetDeadline(time.Now().Add(c.Patience))
	if err == nil {
		_, err = io.WriteString(c.conn, "sent\n")
	}
	if err == nil {
		_, err = fmt.Fscanln(c.reader, &of.segments, &of.bytes)
	}
	if err != nil {
		return sent{}, fmt.Errorf("get what %s has sent: %w", c.key, err)
	}
	return of, nil
}

// Local is the client's own address and port.
func (c *Conn) Local() netip.AddrPort {
	local, _ := netip.ParseAddrPort(c.conn.LocalAddr().String())
	return local
}

// Close ends the connection.
func (c *Conn) Close() { _ = c.conn.Close() }

// Get sends an HTTP request.
func (c Client) Get(ctx context.Context, key datapath.Key) (string, error) {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		return c.dial(ctx, network, address)
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+netip.AddrPortFrom(key.Address, key.Port).String()+"/", nil)
	if err != nil {
		return "", err
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}
