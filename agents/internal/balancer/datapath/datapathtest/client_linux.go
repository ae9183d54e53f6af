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

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
)

// patience is how long a client waits for an answer. A lost packet of TCP comes
// again in less, but not soon.
const patience = 3 * time.Second

// Client asks the servers of backends from inside a namespace.
type Client struct{ Space *netspace.Space }

// Answer is what a backend said.
type Answer struct {
	Backend string
	Client  netip.AddrPort // as the backend sees it
}

// Ask opens a connection, or a socket, asks one question and closes it.
func (c Client) Ask(key datapath.Key) (Answer, error) {
	kept, err := c.Keep(key)
	if err != nil {
		return Answer{}, err
	}
	defer kept.Close()
	return kept.Ask()
}

// Keep opens a connection, or a socket, that stays.
func (c Client) Keep(key datapath.Key) (*Kept, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := c.dial(ctx, key.Protocol.String(), netip.AddrPortFrom(key.Address, key.Port).String())
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", key, err)
	}
	return &Kept{key: key, conn: conn, reader: bufio.NewReader(conn), Patience: patience}, nil
}

// dial never takes a port a second time: to a balancer that would be the flow of before.
func (c Client) dial(ctx context.Context, network, address string) (conn net.Conn, err error) {
	port := firstPort + int(ports.Add(1))%(1<<16-firstPort)
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{Port: port}}
	if network == datapath.UDP.String() {
		dialer.LocalAddr = &net.UDPAddr{Port: port}
	}
	err = do(c.Space, func() (err error) {
		conn, err = dialer.DialContext(ctx, network, address)
		return err
	})
	return conn, err
}

const firstPort = 1024

var ports atomic.Uint32

// Kept is a connection, or a socket, that is asked again and again.
type Kept struct {
	Patience time.Duration
	key      datapath.Key
	conn     net.Conn
	reader   *bufio.Reader
}

// questions make every datagram's answer its own.
var questions atomic.Uint64

// Ask asks who is there. Datagrams are sent once, and one that is lost is an error,
// unless the machine says that it was its own queue that lost some meanwhile.
func (k *Kept) Ask() (Answer, error) {
	answer, _, err := k.Hear()
	return answer, err
}

// Hear asks as Ask does, and says how many bytes the answer had.
func (k *Kept) Hear() (Answer, int, error) {
	line, err := k.exchange()
	if err != nil {
		return Answer{}, 0, fmt.Errorf("ask %s from %s: %w", k.key, k.conn.LocalAddr(), err)
	}
	words := strings.Fields(line)
	if len(words) < 2 {
		return Answer{}, 0, fmt.Errorf("ask %s: heard %q", k.key, line)
	}
	client, err := netip.ParseAddrPort(words[1])
	if err != nil {
		return Answer{}, 0, fmt.Errorf("ask %s: heard %q: %w", k.key, line, err)
	}
	return Answer{Backend: words[0], Client: netip.AddrPortFrom(client.Addr().Unmap(), client.Port())}, len(line), nil
}

func (k *Kept) exchange() (string, error) {
	if k.key.Protocol == datapath.TCP {
		return k.exchangeLine()
	}
	const times = 3
	for tried := 1; ; tried++ {
		before, err := overruns()
		if err != nil {
			return "", err
		}
		answer, err := k.exchangeDatagram()
		if !errors.Is(err, os.ErrDeadlineExceeded) || tried == times {
			return answer, err
		}
		if after, overrunErr := overruns(); overrunErr != nil || after == before {
			return "", errors.Join(err, overrunErr)
		}
	}
}

func (k *Kept) exchangeLine() (string, error) {
	if err := k.conn.SetDeadline(time.Now().Add(k.Patience)); err != nil {
		return "", err
	}
	if _, err := io.WriteString(k.conn, "who\n"); err != nil {
		return "", err
	}
	return k.reader.ReadString('\n')
}

func (k *Kept) exchangeDatagram() (string, error) {
	if err := k.conn.SetDeadline(time.Now().Add(k.Patience)); err != nil {
		return "", err
	}
	question := fmt.Sprint(questions.Add(1))
	if _, err := io.WriteString(k.conn, question); err != nil {
		return "", err
	}
	for buffer := make([]byte, 2048); ; {
		n, err := k.conn.Read(buffer)
		if err != nil || strings.HasSuffix(string(buffer[:n]), " "+question) {
			return string(buffer[:n]), err
		}
	}
}

// Give sends bytes and compares the checksum that comes back.
func (k *Kept) Give(size int) error {
	body := pattern(size)
	sent := make(chan error, 1)
	if err := k.conn.SetDeadline(time.Now().Add(10 * patience)); err != nil {
		return err
	}
	go func() {
		_, err := fmt.Fprintf(k.conn, "take %d\n%s", size, body)
		sent <- err
	}()
	line, err := k.reader.ReadString('\n')
	if want := fmt.Sprintf("%08x\n", crc32.ChecksumIEEE(body)); err == nil && line != want {
		err = fmt.Errorf("the server took %q, given was %q", line, want)
	}
	if err != nil {
		// A broken connection says why to one of the two: the other one hears of an end.
		_ = k.conn.SetWriteDeadline(time.Now())
		return fmt.Errorf("give %d bytes to %s: %w; sending: %w", size, k.key, err, <-sent)
	}
	return <-sent
}

// Take asks for bytes and compares them.
func (k *Kept) Take(size int) error {
	if err := k.conn.SetDeadline(time.Now().Add(10 * patience)); err != nil {
		return err
	}
	body := make([]byte, size)
	_, err := fmt.Fprintf(k.conn, "give %d\n", size)
	if err == nil {
		_, err = io.ReadFull(k.reader, body)
	}
	if err == nil && crc32.ChecksumIEEE(body) != crc32.ChecksumIEEE(pattern(size)) {
		err = fmt.Errorf("the bytes aren't those that were asked for")
	}
	if err != nil {
		return fmt.Errorf("take %d bytes from %s: %w", size, k.key, err)
	}
	return nil
}

// sent is what a server's TCP has sent on a connection, with what it sent again.
type sent struct{ segments, bytes uint64 }

// Sent asks the server for it, after everything has come that was asked for.
func (k *Kept) Sent() (sent, error) {
	var of sent
	err := k.conn.SetDeadline(time.Now().Add(k.Patience))
	if err == nil {
		_, err = io.WriteString(k.conn, "sent\n")
	}
	if err == nil {
		_, err = fmt.Fscanln(k.reader, &of.segments, &of.bytes)
	}
	if err != nil {
		return sent{}, fmt.Errorf("ask %s what it sent: %w", k.key, err)
	}
	return of, nil
}

// Local is the client's own address and port.
func (k *Kept) Local() netip.AddrPort {
	local, _ := netip.ParseAddrPort(k.conn.LocalAddr().String())
	return local
}

// Close ends the connection.
func (k *Kept) Close() { _ = k.conn.Close() }

// Get asks by HTTP.
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
