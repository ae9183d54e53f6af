//go:build !linux

package mesh

import "net"

func enlarge(*net.UDPConn) error { return nil }
