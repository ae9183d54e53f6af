package lab

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
)

// controlPlaneInside is the control plane's address inside every namespace, which has no route out. The
// certificate is verified regardless of the dialled address.
const controlPlaneInside = "127.0.0.1:7443"

// forwardControlPlane lets a namespace's agent dial the control plane.
func (l *Lab) forwardControlPlane(m *member) error {
	if l.options.ControlPlane == "" {
		return nil
	}
	listener, err := m.space.Listen(context.Background(), "tcp", controlPlaneInside)
	if err != nil {
		return fmt.Errorf("forward the control plane into %s: %w", m.name, err)
	}
	m.forward = listener
	go Forward(listener, l.dialControlPlane)
	return nil
}

func (l *Lab) dialControlPlane() (net.Conn, error) {
	if socket := l.options.ControlPlaneSocket; socket != "" {
		return net.Dial("unix", socket)
	}
	return DialControlPlane(l.options.ControlPlane)
}

// DialControlPlane connects to where a URL of a control plane points.
func DialControlPlane(text string) (net.Conn, error) {
	address, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read the control plane's address: %w", err)
	}
	host := address.Host
	if address.Port() == "" {
		host = net.JoinHostPort(address.Hostname(), "443")
	}
	return net.Dial("tcp", host)
}

// Forward forwards connections of the listener until it is closed.
func Forward(listener net.Listener, dial func() (net.Conn, error)) {
	for {
		inside, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer inside.Close()
			outside, err := dial()
			if err != nil {
				return // the agent gets a closed connection and retries
			}
			defer outside.Close()
			ended := make(chan struct{}, 2)
			for _, way := range [][2]net.Conn{{inside, outside}, {outside, inside}} {
				go func() {
					_, _ = io.Copy(way[0], way[1])
					ended <- struct{}{}
				}()
			}
			<-ended
		}()
	}
}

// controlPlaneFlags set the control plane, and the agent's token if it has one.
func (l *Lab) controlPlaneFlags(m *member) []string {
	flags := []string{"--control-plane", "https://" + controlPlaneInside}
	if token := filepath.Join(l.options.Tokens, m.name); l.options.Tokens != "" {
		flags = append(flags, "--token-file", token)
	}
	return flags
}

// statePath is an agent's state folder. With a control plane it is permanent, because each identity is issued
// once; without one it is removed with the lab.
func (l *Lab) statePath(m *member) string {
	if l.options.ControlPlane == "" {
		return l.folder.at(m.name, "state")
	}
	return filepath.Join(l.options.State, l.topology.Name, m.name)
}

func (l *Lab) prepareState() error {
	if l.options.ControlPlane == "" {
		return nil
	}
	if l.options.State == "" {
		return fmt.Errorf("set the folder for the agents' identities: --state FOLDER")
	}
	if err := os.MkdirAll(filepath.Join(l.options.State, l.topology.Name), 0o700); err != nil {
		return fmt.Errorf("the folder %s can't be created (%w): choose another with --state", l.options.State, err)
	}
	return nil
}
