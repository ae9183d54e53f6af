package hostaddress

import (
	"errors"
	"fmt"
	"time"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// noSooner limits how often changes are reported: on a busy host pods are added and removed all the
// time.
const noSooner = 50 * time.Millisecond

// Watch makes changed readable when this host gains or loses an address, or one of its links goes
// up or down, until stop is called. Several changes may be merged into one.
func Watch() (changed <-chan struct{}, stop func(), err error) {
	socket, err := nl.Subscribe(unix.NETLINK_ROUTE, unix.RTNLGRP_LINK, unix.RTNLGRP_IPV4_IFADDR, unix.RTNLGRP_IPV6_IFADDR)
	if err != nil {
		return nil, nil, fmt.Errorf("watch addresses and links: %w", err)
	}
	signal := make(chan struct{}, 1)
	go func() {
		links := links{}
		for {
			messages, _, err := socket.Receive()
			lost := errors.Is(err, unix.ENOBUFS) // the kernel's buffer overflowed
			if err != nil && !lost {
				return // stopped
			}
			news := lost
			for _, message := range messages {
				news = links.differs(message.Header.Type, message.Data) || news
			}
			if !news {
				continue
			}
			select {
			case signal <- struct{}{}:
			default:
			}
			time.Sleep(noSooner)
		}
	}()
	return signal, socket.Close, nil
}

// links records which links are up with a carrier, by index: the kernel reports many other changes.
type links map[int32]uint32

func (l links) differs(kind uint16, message []byte) bool {
	if kind != unix.RTM_NEWLINK && kind != unix.RTM_DELLINK || len(message) < unix.SizeofIfInfomsg {
		return true // an address change
	}
	info := nl.DeserializeIfInfomsg(message)
	flags := info.Flags & (unix.IFF_UP | unix.IFF_RUNNING | unix.IFF_LOWER_UP)
	before, known := l[info.Index]
	if kind == unix.RTM_DELLINK {
		delete(l, info.Index)
		return true
	}
	l[info.Index] = flags
	return !known || flags != before
}
