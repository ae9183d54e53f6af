package gobgp

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// setListenerHops sets the hop limit of this process's IPv6 listeners at a port. gobgp doesn't expose
// them.
func setListenerHops(port, hops int) error {
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	var errs []error
	for _, file := range files {
		fd, err := strconv.Atoi(file.Name())
		if err != nil {
			continue
		}
		if listens, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ACCEPTCONN); err != nil || listens == 0 {
			continue
		}
		at, err := unix.Getsockname(fd)
		if six, is := at.(*unix.SockaddrInet6); err != nil || !is || six.Port != port {
			continue
		}
		errs = append(errs, unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_UNICAST_HOPS, hops))
	}
	return errors.Join(errs...)
}
