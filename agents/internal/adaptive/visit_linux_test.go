package adaptive

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"
)

// Networks of a client. A socket that doesn't connect sends each datagram to the service.
const (
	tcp         = "tcp"
	udp         = "udp"
	unconnected = "udp without connect"
)

func visitOnce(network string, service netip.AddrPort) (node string, err error) {
	switch network {
	case udp:
		return ask(network, service, func(conn net.Conn) (string, error) {
			answer := make([]byte, 64)
			n, err := conn.Read(answer)
			return string(answer[:n]), err
		})
	case unconnected:
		return askUnconnected(service)
	}
	return ask(cmp.Or(network, tcp), service, func(conn net.Conn) (string, error) {
		answer, err := io.ReadAll(conn)
		return string(answer), err
	})
}

func ask(network string, service netip.AddrPort, read func(net.Conn) (string, error)) (node string, err error) {
	conn, err := net.DialTimeout(network, service.String(), 2*time.Second)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return "", err
	}
	if _, err := conn.Write([]byte{1}); err != nil {
		return "", err
	}
	return read(conn)
}

func askUnconnected(service netip.AddrPort) (node string, err error) {
	conn, err := net.ListenUDP("udp", nil)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return "", err
	}
	if _, err := conn.WriteToUDPAddrPort([]byte{1}, service); err != nil {
		return "", err
	}
	answer := make([]byte, 64)
	n, from, err := conn.ReadFromUDPAddrPort(answer)
	if from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port()); err == nil && from != service {
		return "", fmt.Errorf("the answer is from %s", from)
	}
	return string(answer[:n]), err
}

func (s server) serveDatagrams(core chan struct{}) error {
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(s.At))
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for {
		_, from, err := conn.ReadFromUDPAddrPort(make([]byte, 1))
		if err != nil {
			return err
		}
		go func() {
			core <- struct{}{}
			time.Sleep(requestTime)
			<-core
			_, _ = conn.WriteToUDPAddrPort([]byte(s.Node), from)
		}()
	}
}
