package keys

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
)

// Software is what reads the keys of a server.
type Software string

// The kinds of software.
const (
	ForNginx   Software = "nginx"
	ForHAProxy Software = "haproxy"
	ForNode    Software = "node"
	ForGo      Software = "go"
	ForEnvoy   Software = "envoy"
)

// All kinds of software.
var All = []Software{ForNginx, ForHAProxy, ForNode, ForGo, ForEnvoy}

// The files in a server's folder, besides those of nginx. Their names never change, so the configuration of the
// server doesn't either.
const (
	haproxyFile   = "tickets.txt"
	binaryFile    = "tickets.key"
	envoyFile     = "tickets.json"
	envoyResource = "tickets"
)

// Place is where the software of a server reads its keys.
type Place struct {
	Software Software
	Folder   string
	Socket   string // HAProxy's runtime socket; empty: only the file
}

// Applied is what a server has after [Place.Apply].
type Applied struct {
	Changed  bool  // something was written
	Rejected []Key // for which HAProxy has no slot
	Reload   []Key // that HAProxy accepts once it is reloaded

	slots int
}

// Apply gives a server its keys. It changes only what differs, so it can be repeated at any time, and keys are
// written again after they were changed or removed. The others are the places of other servers, which keep their keys. Its
// error is a clause with the cure.
func (p Place) Apply(ctx context.Context, server Server, others ...Place) (applied Applied, err error) {
	server = server.withOwnFirst()
	switch p.Software {
	case ForNginx:
		applied.Changed, err = replaceNginx(p.Folder, server)
	case ForHAProxy:
		applied, err = p.applyHAProxy(ctx, server, others)
	case ForNode:
		file, _ := Node(filepath.Join(p.Folder, binaryFile), server)
		applied.Changed, err = replace(file)
	case ForGo:
		applied.Changed, err = replace(Go(filepath.Join(p.Folder, binaryFile), server))
	case ForEnvoy:
		var file File
		if file, err = Envoy(filepath.Join(p.Folder, envoyFile), envoyResource, server); err == nil {
			applied.Changed, err = replace(file)
		}
	default:
		err = fmt.Errorf("there is no software %q", p.Software)
	}
	return applied, p.withCure(err)
}

func (p Place) applyHAProxy(ctx context.Context, server Server, others []Place) (applied Applied, err error) {
	path := filepath.Join(p.Folder, haproxyFile)
	if p.Socket != "" {
		socket := HAProxySocket{Path: p.Socket}
		for _, other := range others {
			if other.Socket == p.Socket && other.Folder != p.Folder {
				socket.Others = append(socket.Others, filepath.Join(other.Folder, haproxyFile))
			}
		}
		return socket.Set(ctx, path, server)
	}
	applied.slots = keysIn(path)
	_, applied.Rejected = HAProxy(path, server, applied.slots)
	applied.Changed, err = replaceHAProxy(path, server, 0)
	return applied, err
}

// withOwnFirst puts the server's own keys of other epochs before the keys of other servers, because software with few
// slots drops the last ones, and most clients return to their own server.
func (s Server) withOwnFirst() Server {
	s.Accept = slices.Clone(s.Accept)
	slices.SortStableFunc(s.Accept, func(a, b Key) int {
		isOther := func(key Key) int {
			if key.Server == s.ID {
				return 0
			}
			return 1
		}
		return isOther(a) - isOther(b)
	})
	return s
}

// withCure adds what an operator has to do.
func (p Place) withCure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrReload):
		return fmt.Errorf("%w: reload it once, such as by systemctl reload haproxy", ErrReload)
	case errors.Is(err, errSocket):
		return fmt.Errorf("%w: start HAProxy, or set the path of its stats socket", err)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s isn't a folder: set a folder for the ticket keys, or create it", p.Folder)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder %s doesn't exist on this node: create it, owned by the user that reads the keys; if the agent runs in a container, mount it there", p.Folder)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("the folder %s is read-only for the agent: add it to ReadWritePaths= of its systemd service, or mount it writable", p.Folder)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the agent may not write files of the owner of %s: give it the capabilities CHOWN and DAC_OVERRIDE, or run it as that owner", p.Folder)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("no space is left for ticket keys in %s: free some", p.Folder)
	}
	return err
}

// Limitation is what the server can't accept and why, as a clause with the cure; empty: nothing.
func (a Applied) Limitation() string {
	if others := serversOf(a.Reload); others > 0 {
		return fmt.Sprintf("HAProxy accepts the tickets of %s only after a reload: reload it, or their clients begin with a full handshake here", plural(others))
	}
	if others := serversOf(a.Rejected); others > 0 {
		return fmt.Sprintf("HAProxy has %d slots for ticket keys, which are too few for those of %s, whose clients begin with a full handshake here: build HAProxy with a TLS_TICKETS_NO of %d or more",
			a.slots, plural(others), a.slots+len(a.Rejected))
	}
	return ""
}

func serversOf(all []Key) int {
	ids := map[string]bool{}
	for _, key := range all {
		ids[key.Server] = true
	}
	return len(ids)
}

func plural(servers int) string {
	if servers == 1 {
		return "one other server"
	}
	return fmt.Sprintf("%d other servers", servers)
}
