package xdp

import (
	"fmt"
	"path/filepath"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// checkPeer verifies that the other end of a veth is prepared. Drivers of other
// interfaces return an error themselves when the program is attached.
func checkPeer(name string) error {
	link, err := netlink.LinkByName(name)
	if err != nil {
		return fmt.Errorf("find interface %q (name one that exists): %w", name, err)
	}
	if link.Type() != "veth" {
		return nil
	}
	peer, space, err := peerOf(link)
	if err != nil {
		return err
	}
	defer space.Close()
	if attached := peer.Attrs().Xdp; attached == nil || !attached.Attached {
		return fmt.Errorf("the host's end of %s, %s, has no XDP program: let the host attach one that passes everything, or use tcx", name, peer.Attrs().Name)
	}
	on, err := offloads(space, peer.Attrs().Name)
	if err != nil {
		return err
	}
	if on {
		return fmt.Errorf("the host's end of %s, %s, leaves checksums to hardware that doesn't exist: run `ethtool -K %s tx off` on the host, or use tcx", name, peer.Attrs().Name, peer.Attrs().Name)
	}
	return nil
}

// peerOf searches for the other end in every named namespace and in the host's own. The
// kernel's namespace ID proves that it is the right one.
func peerOf(link netlink.Link) (netlink.Link, netns.NsHandle, error) {
	unseen := fmt.Errorf("the other end of %s can't be found: give the agent the host's namespaces (hostPID, %s), or use tcx", link.Attrs().Name, netspace.Folder)
	named, err := filepath.Glob(filepath.Join(netspace.Folder, "*"))
	if err != nil {
		return nil, netns.None(), unseen
	}
	for _, path := range append([]string{"/proc/thread-self/ns/net", "/proc/1/ns/net"}, named...) {
		space, err := netns.GetFromPath(path)
		if err != nil {
			continue
		}
		if peer := peerIn(space, link); peer != nil {
			return peer, space, nil
		}
		_ = space.Close()
	}
	return nil, netns.None(), unseen
}

func peerIn(space netns.NsHandle, link netlink.Link) netlink.Link {
	own, err := netns.Get()
	if err != nil {
		return nil
	}
	defer own.Close()
	if elsewhere := link.Attrs().NetNsID; elsewhere >= 0 {
		number, err := netlink.GetNetNsIdByFd(int(space))
		if err != nil || number != elsewhere {
			return nil
		}
	} else if !own.Equal(space) {
		return nil
	}
	links, err := netlink.NewHandleAt(space, unix.NETLINK_ROUTE)
	if err != nil {
		return nil
	}
	defer links.Close()
	peer, err := links.LinkByIndex(link.Attrs().ParentIndex)
	if err != nil {
		return nil
	}
	return peer
}
