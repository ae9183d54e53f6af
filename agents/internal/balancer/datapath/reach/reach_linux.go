package reach

import (
	"fmt"
	"net"
	"net/netip"
	"os"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Mark returns the services with each backend that can't be reached down, and why.
func Mark(services []datapath.Service) (marked []datapath.Service, failures []datapath.Failure, err error) {
	routes, err := open()
	if err != nil {
		return nil, nil, err
	}
	defer routes.handle.Close()
	for _, service := range services {
		var lost []int
		for i, backend := range service.Backends {
			if backend.State == datapath.Inactive {
				continue
			}
			if err := routes.check(service.Delivery, backend.Address); err != nil {
				lost = append(lost, i)
				failures = append(failures, datapath.Failure{Service: service.Key, Backend: backend.ID, Reason: err.Error()})
			}
		}
		if lost != nil {
			service = service.Down(lost...)
		}
		marked = append(marked, service)
	}
	return marked, failures, nil
}

// routes are the kernel's, in the namespace of the calling thread.
type routes struct {
	handle *netlink.Handle
	near   []netip.Prefix // on links of this host, so that most backends need no look-up
	found  map[netip.Addr]route
}

type route struct {
	router netip.Addr // the zero value when the address is on the link
	err    error
}

func open() (*routes, error) {
	handle, err := netlink.NewHandle(unix.NETLINK_ROUTE)
	if err != nil {
		return nil, fmt.Errorf("open netlink: %w", err)
	}
	r := &routes{handle: handle, found: map[netip.Addr]route{}}
	if r.near, err = nearPrefixes(); err != nil {
		handle.Close()
		return nil, err
	}
	return r, nil
}

// nearPrefixes returns the prefixes of interfaces that are up: the kernel removes the
// routes of others.
func nearPrefixes() (near []netip.Prefix, err error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("list interfaces: %w", err)
	}
	for _, one := range interfaces {
		if one.Flags&net.FlagUp == 0 {
			continue
		}
		addresses, err := one.Addrs()
		if err != nil {
			return nil, fmt.Errorf("list addresses of %s: %w", one.Name, err)
		}
		for _, address := range addresses {
			prefix, err := netip.ParsePrefix(address.String())
			if err == nil && !prefix.IsSingleIP() && !prefix.Addr().IsLinkLocalUnicast() {
				near = append(near, prefix.Masked())
			}
		}
	}
	return near, nil
}

func (r *routes) check(delivery datapath.Delivery, to netip.Addr) error {
	found, known := r.found[to]
	if !known {
		found = r.find(to)
		r.found[to] = found
	}
	switch {
	case found.err != nil:
		return fmt.Errorf("has no route: %w", found.err)
	case delivery == datapath.Direct && found.router.IsValid():
		return fmt.Errorf("is behind the router %s, and delivery %q reaches only the same network; give %q or %q", found.router, datapath.Direct, datapath.Tunnel, datapath.NAT)
	}
	return nil
}

func (r *routes) find(to netip.Addr) route {
	for _, prefix := range r.near {
		if prefix.Contains(to) {
			return route{}
		}
	}
	found, err := r.handle.RouteGet(to.AsSlice())
	if err == nil && len(found) == 0 {
		err = os.ErrNotExist
	}
	if err != nil {
		return route{err: err}
	}
	router, ok := netip.AddrFromSlice(found[0].Gw)
	if !ok || router.IsUnspecified() {
		return route{}
	}
	return route{router: router.Unmap()}
}
