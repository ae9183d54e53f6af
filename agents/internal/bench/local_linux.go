package bench

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/freeze"
)

// local is a server process on the loopback interface.
type local struct {
	*exec.Cmd
	port uint16
}

// startLocal starts a server and waits until it listens.
func startLocal(ctx context.Context, command string) (local, netip.AddrPort, error) {
	address, err := freeLoopback()
	if err != nil {
		return local{}, address, err
	}
	server := local{exec.CommandContext(ctx, "/proc/self/exe", command, "--name=a", "--tcp="+address.String()), address.Port()}
	server.Stderr = os.Stderr
	server.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL} // a stall stops its group
	output, err := server.StdoutPipe()
	if err != nil {
		return server, address, err
	}
	if err := server.Start(); err != nil {
		return server, address, err
	}
	if _, err := fmt.Fscanln(output, new(string)); err != nil {
		server.end()
		return server, address, fmt.Errorf("%s ended before it listened: %w", command, err)
	}
	return server, address, nil
}

func freeLoopback() (netip.AddrPort, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return netip.AddrPort{}, err
	}
	defer listener.Close()
	return netip.ParseAddrPort(listener.Addr().String())
}

// stall stops the server's process for a while, from a time after its first client has connected. Clients are
// processes, and may take long to start on a busy machine.
func (l local) stall(ctx context.Context, after, span time.Duration) error {
	if err := l.awaitClient(ctx); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(after):
	}
	if err := freeze.Group(ctx, l.Process.Pid); err != nil {
		return err
	}
	time.Sleep(span)
	return freeze.Thaw(l.Process.Pid)
}

// awaitClient returns when the server has an open connection.
func (l local) awaitClient(ctx context.Context) error {
	const interval = 5 * time.Millisecond
	for {
		if open, err := hasClient(l.port); open || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no client connected to port %d: %w", l.port, ctx.Err())
		case <-time.After(interval):
		}
	}
}

// hasClient reads the kernel's list of connections. Its second column is the local address, and its fourth the state.
func hasClient(port uint16) (bool, error) {
	const established = "01"
	text, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(string(text)) {
		columns := strings.Fields(line)
		if len(columns) > 3 && columns[3] == established && strings.HasSuffix(columns[1], fmt.Sprintf(":%04X", port)) {
			return true, nil
		}
	}
	return false, nil
}

func (l local) end() {
	_ = l.Process.Kill()
	_ = l.Wait()
}
