package netspacetest

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"syscall"
	"testing"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// WatchRoutes records the route changes from now until the result is read: a line for each added or
// changed route, with the prefix; removed ones start with Deleted.
func WatchRoutes(t *testing.T, space *netspace.Space) (seen func() string) {
	t.Helper()
	var socket *nl.NetlinkSocket
	must(t, space.Do(func() (err error) {
		socket, err = nl.Subscribe(unix.NETLINK_ROUTE, unix.RTNLGRP_IPV4_ROUTE, unix.RTNLGRP_IPV6_ROUTE)
		return err
	}))
	t.Cleanup(socket.Close)
	return func() string {
		t.Helper()
		var lines strings.Builder
		for buffer := make([]byte, 1<<16); ; {
			n, _, err := unix.Recvfrom(socket.GetFd(), buffer, unix.MSG_DONTWAIT)
			if errors.Is(err, unix.EAGAIN) { // the kernel reports its changes at once
				return lines.String()
			}
			must(t, err)
			messages, err := syscall.ParseNetlinkMessage(buffer[:n])
			must(t, err)
			for _, message := range messages {
				lines.WriteString(line(t, message))
			}
		}
	}
}

func line(t *testing.T, message syscall.NetlinkMessage) string {
	t.Helper()
	attributes, err := nl.ParseRouteAttr(message.Data[unix.SizeofRtMsg:])
	must(t, err)
	for _, attribute := range attributes {
		if address, ok := netip.AddrFromSlice(attribute.Value); ok && attribute.Attr.Type == unix.RTA_DST {
			word := map[bool]string{true: "Deleted "}[message.Header.Type == unix.RTM_DELROUTE]
			return fmt.Sprintf("%s%s/%d\n", word, address, nl.DeserializeRtMsg(message.Data).Dst_len)
		}
	}
	return ""
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
