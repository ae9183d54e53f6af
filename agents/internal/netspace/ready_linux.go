package netspace

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// readyWithin allows for a busy machine whose kernel work queues are delayed.
const readyWithin = time.Minute

// waitUntilReady returns when both ends carry packets. After an interface is up, the kernel starts
// its queue and adds its IPv6 addresses and routes in a work queue: an earlier reader would see
// only some of them.
func waitUntilReady(ends ...End) error {
	for _, end := range ends {
		pause := time.Millisecond
		for deadline := time.Now().Add(readyWithin); ; time.Sleep(pause) {
			ready, err := end.isReady()
			if err != nil {
				return err
			}
			if ready {
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("%s of %s is not ready within %s", end.Interface, end.Space.Name, readyWithin)
			}
			pause = min(2*pause, 50*time.Millisecond)
		}
	}
	return nil
}

// isReady lists addresses before it reads the link. The kernel answers a link request under the
// lock that its work queue holds too, so that all its work on an address is finished then,
// including routes.
func (e End) isReady() (ready bool, err error) {
	err = e.Space.withLink(e.Interface, "find", func(found netlink.Link) error {
		addresses, err := e.Space.links.AddrList(found, netlink.FAMILY_V6)
		if err != nil {
			return err
		}
		for _, address := range addresses {
			if address.Flags&unix.IFA_F_TENTATIVE != 0 {
				return nil
			}
		}
		return e.Space.withLink(e.Interface, "find", func(link netlink.Link) error {
			// It was up before the addresses were listed, or the kernel may have added one since.
			ready = found.Attrs().OperState == netlink.OperUp && link.Attrs().OperState == netlink.OperUp
			return nil
		})
	})
	if errors.Is(err, netlink.ErrDumpInterrupted) {
		return false, nil // something changed meanwhile
	}
	return ready, err
}

// trustAddresses disables duplicate address detection: it takes a second or two for each interface,
// and there are no other hosts.
func (s *Space) trustAddresses() error {
	err := s.SetSysctls(map[string]string{"net/ipv6/conf/all/accept_dad": "0", "net/ipv6/conf/default/accept_dad": "0"})
	if errors.Is(err, os.ErrNotExist) {
		return nil // a kernel without IPv6
	}
	return err
}
