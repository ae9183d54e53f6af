package health

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
)

// answerMostBytes bounds how much of a response is read: its beginning is sufficient.
const answerMostBytes = 64 << 10

// Prober runs checks over the network.
type Prober struct {
	Dial func(ctx context.Context, network, address string) (net.Conn, error) // nil: the real network
}

// Probe checks a target once. Its error is a clause that follows the backend's name:
// "refused the connection".
func (p Prober) Probe(ctx context.Context, target Target) error {
	err := p.checkOnce(ctx, target)
	if err == nil {
		return nil
	}
	return plain(ctx, target, err)
}

func (p Prober) checkOnce(ctx context.Context, target Target) error {
	switch target.Check.Kind {
	case TCP:
		return p.checkTCP(ctx, target)
	case HTTP, HTTPS:
		return p.checkHTTP(ctx, target)
	case GRPC:
		return p.checkGRPC(ctx, target)
	case UDP:
		return p.checkUDP(ctx, target)
	}
	return fmt.Errorf("can't be checked with type %q", target.Check.Kind)
}

func (p Prober) dial(ctx context.Context, network string, target Target) (net.Conn, error) {
	dial := p.Dial
	if dial == nil {
		// No keep-alive: a check is over before it would matter.
		dial = (&net.Dialer{KeepAlive: -1}).DialContext
	}
	conn, err := dial(ctx, network, target.AddrPort().String())
	if err != nil {
		return nil, err
	}
	if deadline, bounded := ctx.Deadline(); bounded {
		if err := conn.SetDeadline(deadline); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return conn, nil
}

func (p Prober) checkTCP(ctx context.Context, target Target) error {
	conn, err := p.dial(ctx, "tcp", target)
	if err != nil {
		return err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // a reset leaves no port in TIME_WAIT, and there are many checks
	}
	return conn.Close()
}

func (p Prober) checkHTTP(ctx context.Context, target Target) error {
	conn, err := p.dial(ctx, "tcp", target)
	if err != nil {
		return err
	}
	defer conn.Close()
	if target.Check.Kind == HTTPS {
		secured := tls.Client(conn, &tls.Config{ServerName: target.Check.Host, InsecureSkipVerify: true}) // see [HTTPS]
		if err := secured.HandshakeContext(ctx); err != nil {
			return fmt.Errorf("failed the TLS handshake: %w", err)
		}
		conn = secured
	}
	request, err := httpRequest(ctx, target)
	if err != nil {
		return err
	}
	if err := request.Write(conn); err != nil {
		return err
	}
	response, err := http.ReadResponse(bufio.NewReader(io.LimitReader(conn, answerMostBytes)), request)
	if err != nil {
		return fmt.Errorf("sent no HTTP response: %w", err)
	}
	_ = response.Body.Close()
	if !target.Check.Statuses.Good(response.StatusCode) {
		return fmt.Errorf("answered %s", response.Status)
	}
	return nil
}

func httpRequest(ctx context.Context, target Target) (*http.Request, error) {
	where, err := url.ParseRequestURI(target.Check.Path) // as it is written: %20 stays so
	if err != nil {
		return nil, fmt.Errorf("can't be checked at path %q: %w", target.Check.Path, err)
	}
	where.Scheme, where.Host = "http", target.AddrPort().String()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, where.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("can't be checked at path %q: %w", target.Check.Path, err)
	}
	if target.Check.Host != "" {
		request.Host = target.Check.Host
	}
	request.Header.Set("User-Agent", "fairlead-health")
	request.Close = true
	return request, nil
}

func (p Prober) checkUDP(ctx context.Context, target Target) error {
	conn, err := p.dial(ctx, "udp", target)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(target.Check.Send)); err != nil {
		return err
	}
	answer := make([]byte, max(len(target.Check.Expect), 1))
	size, err := conn.Read(answer)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(string(answer[:size]), target.Check.Expect) {
		return fmt.Errorf("answered %q, not %q", answer[:size], target.Check.Expect)
	}
	return nil
}

// plain describes an error without the addresses and system calls of Go's errors: the
// target is displayed next to it.
func plain(ctx context.Context, target Target, err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil:
		return fmt.Errorf("sent no response within %v", target.Check.Timeout)
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New("refused the connection")
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("closed the connection without a response")
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return errors.New("can't be reached: there is no route to its host")
	}
	return err
}
