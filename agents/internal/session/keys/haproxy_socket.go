package keys

import (
	"bufio"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairlead.dev/agents/internal/session/names"
)

const (
	socketTimeout  = 2 * time.Second
	socketMostRead = 1 << 20
)

var errSocket = errors.New("connect to HAProxy's runtime socket")

// HAProxySocket is HAProxy's runtime socket. It must have level admin.
type HAProxySocket struct {
	Path   string
	Others []string // files of other servers with the same socket
}

// Set gives HAProxy a server's keys without a reload: in the file, for its next start, and at run
// time. The file is the argument of tls-ticket-keys. It returns [ErrReload] if a reload is necessary; the
// file is then written already.
func (s HAProxySocket) Set(ctx context.Context, file string, server Server) (applied Applied, err error) {
	id, ring, err := s.load(ctx, file)
	if err != nil {
		changed, fileErr := replaceHAProxy(file, server, 0) // for its next start
		return Applied{Changed: changed}, cmp.Or(fileErr, err)
	}
	if applied.Changed, err = replaceHAProxy(file, server, len(ring)); err != nil {
		return applied, err
	}
	added, err := pushes(ring, server)
	if err != nil {
		return applied, err
	}
	for _, key := range added {
		if err := s.push(ctx, id, key); err != nil {
			return applied, err
		}
		applied.Changed = true
	}
	if ring, err = s.ring(ctx, id); err != nil {
		return applied, err
	}
	if !isSafe(ring, nil, server) {
		return applied, errors.New("HAProxy doesn't have the ticket keys that it was given: another program changes them; let only the agent do that")
	}
	_, applied.Rejected = HAProxy(file, server, len(ring))
	for _, key := range server.Accept {
		if !holds(ring, key) && !holds(applied.Rejected, key) {
			applied.Reload = append(applied.Reload, key)
		}
	}
	applied.slots = len(ring)
	return applied, nil
}

// load returns HAProxy's ID of a file of keys, and the keys in the order of the file.
func (s HAProxySocket) load(ctx context.Context, file string) (id string, ring []Key, err error) {
	if id, err = s.find(ctx, file); err == nil {
		ring, err = s.ring(ctx, id)
	}
	return id, ring, err
}

// find returns HAProxy's ID of a file. In a container, its folder may have another path. Of servers with the same socket,
// only the one with the first path may be found so: they would replace each other's keys.
func (s HAProxySocket) find(ctx context.Context, file string) (id string, err error) {
	answer, err := s.run(ctx, "show tls-keys", "")
	if err != nil {
		return "", err
	}
	var alike []string
	for line := range strings.Lines(answer) {
		number, path, ok := strings.Cut(strings.TrimSpace(line), " (")
		if path = strings.TrimSuffix(path, ")"); !ok || number == "# id" {
			continue
		}
		if path == file {
			return "#" + number, nil
		}
		if filepath.Base(path) == filepath.Base(file) && !slices.Contains(s.Others, path) {
			alike = append(alike, "#"+number)
		}
	}
	for _, other := range s.Others {
		if len(alike) == 1 && other < file {
			return "", fmt.Errorf("the runtime socket %s is also that of the ticket keys %s, and HAProxy has none of the file %s: give each instance a socket of its own, with {instance} in the path", s.Path, other, file)
		}
	}
	if len(alike) != 1 {
		return "", fmt.Errorf("HAProxy has no ticket keys of the file %s: set it in tls-ticket-keys, and give the runtime socket the level admin", file)
	}
	return alike[0], nil
}

func (s HAProxySocket) push(ctx context.Context, id string, key Key) error {
	answer, err := s.run(ctx, "set ssl tls-key", id+" "+base64.StdEncoding.EncodeToString(key.bytes(secretBytes)))
	if err != nil {
		return err
	}
	if !strings.Contains(answer, "updated") {
		return fmt.Errorf("HAProxy's runtime socket: set ssl tls-key: %q", strings.TrimSpace(answer))
	}
	return nil
}

// ring returns the keys that HAProxy has by an ID, in the order of their file.
func (s HAProxySocket) ring(ctx context.Context, id string) (ring []Key, err error) {
	answer, err := s.run(ctx, "show tls-keys", id)
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
		return nil, errors.New("HAProxy's runtime socket doesn't return its ticket keys: give it the level admin")
	}
	return ring, nil
}

// run sends one command. Errors name it without its argument, which can be a secret.
func (s HAProxySocket) run(ctx context.Context, command, argument string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, socketTimeout)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", s.Path)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errSocket, err)
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
