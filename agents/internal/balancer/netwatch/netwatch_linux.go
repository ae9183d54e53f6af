package netwatch

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// watch is one subscription.
type watch struct {
	name     string
	changed  func(Change)
	links    *netlink.Handle
	socket   *nl.NetlinkSocket
	messages chan Change
	done     chan struct{}
	ended    sync.WaitGroup
	failed   atomic.Pointer[error] // why it ended by itself
}

// Start calls changed after each change of the named interface and of the routes in the
// namespace of the calling thread, until it is closed or fails.
func Start(name string, changed func(Change)) (Watch, error) {
	socket, err := nl.Subscribe(unix.NETLINK_ROUTE, unix.RTNLGRP_LINK, unix.RTNLGRP_IPV4_IFADDR, unix.RTNLGRP_IPV6_IFADDR,
		unix.RTNLGRP_IPV4_ROUTE, unix.RTNLGRP_IPV6_ROUTE)
	if err != nil {
		return nil, fmt.Errorf("follow changes of the network: %w", err)
	}
	links, err := netlink.NewHandle(unix.NETLINK_ROUTE)
	if err != nil {
		socket.Close()
		return nil, fmt.Errorf("open netlink: %w", err)
	}
	w := &watch{name: name, changed: changed, links: links, socket: socket, messages: make(chan Change, 64), done: make(chan struct{})}
	before := w.state() // a change from now on must not be missed
	w.ended.Go(w.receive)
	w.ended.Go(func() { w.report(before) })
	return w, nil
}

// Close ends the calls before it returns.
func (w *watch) Close() error {
	close(w.done)
	w.socket.Close()
	w.ended.Wait()
	w.links.Close()
	return nil
}

// Err implements Watch.
func (w *watch) Err() error {
	if err := w.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// receive reads messages until the socket is closed. Lost messages count as changes.
func (w *watch) receive() {
	for {
		messages, from, err := w.socket.Receive()
		var change Change
		switch {
		case errors.Is(err, unix.ENOBUFS):
			change = Change{Interface: true, Routes: true}
		case err != nil:
			if err = fmt.Errorf("receive changes of the network: %w", err); !w.isClosed() {
				w.failed.Store(&err)
			}
			return
		case from.Pid != nl.PidKernel:
			continue
		}
		for _, message := range messages {
			switch message.Header.Type {
			case unix.RTM_NEWLINK, unix.RTM_DELLINK, unix.RTM_NEWADDR, unix.RTM_DELADDR:
				change.Interface = true
			case unix.RTM_NEWROUTE, unix.RTM_DELROUTE:
				change.Routes = true
			}
		}
		select {
		case w.messages <- change:
		case <-w.done:
			return
		}
	}
}

func (w *watch) isClosed() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// report calls changed once a change is complete.
func (w *watch) report(before string) {
	for {
		var change Change
		select {
		case change = <-w.messages:
		case <-w.done:
			return
		}
		if !w.complete(&change) {
			return
		}
		if change.Interface {
			now := w.state()
			change.Interface, before = now != before, now
		}
		if change != (Change{}) {
			w.changed(change)
		}
	}
}

// complete adds what follows to a change; false when the watch was closed.
func (w *watch) complete(change *Change) bool {
	most := time.NewTimer(settleMost)
	defer most.Stop()
	for {
		select {
		case more := <-w.messages:
			change.Interface = change.Interface || more.Interface
			change.Routes = change.Routes || more.Routes
			continue
		case <-time.After(settle):
		case <-most.C:
		case <-w.done:
			return false
		}
		return true
	}
}

// state describes the interface, because other interfaces and counters cause messages too.
func (w *watch) state() string {
	link, err := w.links.LinkByName(w.name)
	if err != nil {
		return ""
	}
	attributes := link.Attrs()
	state := fmt.Sprintln(attributes.Index, attributes.HardwareAddr, attributes.MTU, attributes.OperState)
	addresses, err := w.links.AddrList(link, netlink.FAMILY_ALL)
	if err != nil {
		return state
	}
	for _, address := range addresses {
		state += fmt.Sprintln(address.IPNet)
	}
	return state
}
