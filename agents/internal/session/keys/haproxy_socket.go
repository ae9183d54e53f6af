package keys

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"fairlead.dev/agents/internal/session/names"
)

const (
	socketTimeout  = 5 * time.Second
	socketMostRead = 1 << 20
)

// HAProxySocket is HAProxy's runtime socket. It must have level admin.
type HAProxySocket struct{ Path string }

// Set gives HAProxy a server's keys without a reload: in the file, for its next start, and at run
// time. The file is the argument of tls-ticket-keys. It returns [ErrReload] if a reload is necessary; the
// file is then written already. Rejected are the keys that HAProxy doesn't accept until it is reloaded.
func (s HAProxySocket) Set(ctx context.Context, file string, server Server) (rejected []Key, err error) {
	ring, err := s.ring(ctx, file)
	if err != nil {
		return nil, err
	}
	content, _ := HAProxy(file, server, max(len(ring), HAProxyRing))
	if err := Write(content); err != nil {
		return nil, err
	}
	added, err := pushes(ring, server)
	if err != nil {
		return nil, err
	}
	for _, key := range added {
		if err := s.push(ctx, file, key); err != nil {
			return nil, err
		}
	}
	if ring, err = s.ring(ctx, file); err != nil {
		return nil, err
	}
	if !isSafe(ring, nil, server) {
		return nil, errors.New("HAProxy doesn't have the ticket keys that it was given: another program may change them")
	}
	for _, key := range server.Accept {
		if !holds(ring, key) {
			rejected = append(rejected, key)
		}
	}
	return rejected, nil
}

func (s HAProxySocket) push(ctx context.Context, file string, key Key) error {
	answer, err := s.run(ctx, "set ssl tls-key", file+" "+base64.StdEncoding.EncodeToString(key.bytes(secretBytes)))
	if err != nil {
		return err
	}
	if !strings.Contains(answer, "updated") {
		return fmt.Errorf("HAProxy's runtime socket: set ssl tls-key: %q", strings.TrimSpace(answer))
	}
	return nil
}

// ring returns the keys that HAProxy has, in the order of its file.
func (s HAProxySocket) ring(ctx context.Context, file string) (ring []Key, err error) {
	answer, err := s.run(ctx, "show tls-keys", file)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(strings.NewReader(answer))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 2 || fields[0] == "#" {
			continue
		}
		key, err := base64.StdEncoding.DecodeString(fields[1])
		if err != nil || len(key) < names.Bytes {
			continue
		}
		ring = append(ring, Key{Name: names.Name(key[:names.Bytes]), secret: hide(key[names.Bytes:])})
	}
	if len(ring) == 0 {
		return nil, fmt.Errorf("HAProxy's runtime socket: no ticket keys of the file %s: name it in tls-ticket-keys, and give the socket the level admin", file)
	}
	return ring, nil
}

// run sends one command. Errors name it without its argument, which can be a secret.
func (s HAProxySocket) run(ctx context.Context, command, argument string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, socketTimeout)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", s.Path)
	if err != nil {
		return "", fmt.Errorf("connect to HAProxy's runtime socket: %w", err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if _, err := io.WriteString(conn, command+" "+argument+"\n"); err != nil {
		return "", fmt.Errorf("HAProxy's runtime socket: %s: %w", command, err)
	}
	answer, err := io.ReadAll(io.LimitReader(conn, socketMostRead))
	if err != nil {
		return "", fmt.Errorf("HAProxy's runtime socket: %s: %w", command, err)
	}
	return string(answer), nil
}
