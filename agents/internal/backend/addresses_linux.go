package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/atomicfile"
)

const (
	addressesFile = "service-addresses.json"
	bootFile      = "/proc/sys/kernel/random/boot_id"
)

// addresses are the service addresses that this agent added, also before it was restarted.
type addresses struct {
	path  string
	added map[placed]bool
}

// placed is an address on the loopback interface of a namespace.
type placed struct {
	Space   uint64     `json:"space"`
	Address netip.Addr `json:"address"`
}

// stored is the content of the file. Another boot has other namespaces.
type stored struct {
	Boot  string   `json:"boot"`
	Added []placed `json:"added"`
}

// loadAddresses returns what it can: without the file, addresses of a former process just stay.
func loadAddresses(folder string) (*addresses, error) {
	a := &addresses{path: filepath.Join(folder, addressesFile), added: map[placed]bool{}}
	data, err := os.ReadFile(a.path)
	if errors.Is(err, os.ErrNotExist) {
		return a, nil
	}
	var former stored
	if err == nil {
		err = json.Unmarshal(data, &former)
	}
	if err != nil {
		return a, fmt.Errorf("read which addresses were added: %w", err)
	}
	boot, err := bootID()
	if err != nil || boot != former.Boot {
		return a, err
	}
	for _, one := range former.Added {
		a.added[one] = true
	}
	return a, nil
}

func bootID() (string, error) {
	data, err := os.ReadFile(bootFile)
	if err != nil {
		return "", fmt.Errorf("identify this boot: %w", err)
	}
	return strings.TrimSpace(string(data)), nil
}

func (a *addresses) save() error {
	boot, err := bootID()
	if err != nil {
		return err
	}
	content := stored{Boot: boot}
	for one := range a.added {
		content.Added = append(content.Added, one)
	}
	data, err := json.Marshal(content)
	if err == nil {
		err = atomicfile.Write(a.path, data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("store which addresses were added: %w", err)
	}
	return nil
}

// isIn reports whether any was added to a namespace.
func (a *addresses) isIn(id uint64) bool {
	for one := range a.added {
		if one.Space == id {
			return true
		}
	}
	return false
}

// add adds an address, unless the namespace has it. It is stored before, so that the address has
// an owner even if this process ends now.
func (a *addresses) add(at *space, address netip.Addr) (changed bool, err error) {
	has, err := hasAddress(at, address)
	if has || err != nil {
		return false, err
	}
	one := placed{at.id, address}
	isNew := !a.added[one]
	if isNew {
		a.added[one] = true
		if err := a.save(); err != nil {
			delete(a.added, one)
			return false, err
		}
	}
	err = change(at, address, at.Links().AddrAdd)
	if errors.Is(err, unix.EEXIST) { // its route comes a moment later
		if isNew { // another process was faster
			delete(a.added, one)
			return false, a.save()
		}
		return false, nil
	}
	if errors.Is(err, unix.EACCES) && address.Is6() {
		return false, fmt.Errorf("IPv6 is off on the loopback interface of the server's network namespace, so it can't have %s: set net.ipv6.conf.lo.disable_ipv6 to 0", address)
	}
	if err != nil {
		return false, fmt.Errorf("add %s to the loopback interface: %w", address, err)
	}
	return true, nil
}

// keep removes the other addresses that this agent added, and forgets those of namespaces that are gone.
func (a *addresses) keep(wanted map[placed]bool, found *spaces) (changes int, err error) {
	var errs []error
	forgot := false
	for one := range a.added {
		at := found.byID(one.Space)
		switch {
		case wanted[one] || at == nil && !found.isWhole():
			continue
		case at != nil:
			err := change(at, one.Address, at.Links().AddrDel)
			if err != nil && !errors.Is(err, unix.EADDRNOTAVAIL) {
				errs = append(errs, fmt.Errorf("remove %s from the loopback interface: %w", one.Address, err))
				continue
			}
			changes++
		}
		delete(a.added, one)
		forgot = true
	}
	if forgot {
		errs = append(errs, a.save())
	}
	return changes, errors.Join(errs...)
}

func (s *spaces) byID(id uint64) *space {
	for _, one := range s.kept {
		if one.id == id {
			return one
		}
	}
	return nil
}

func change(at *space, address netip.Addr, do func(netlink.Link, *netlink.Addr) error) error {
	link, err := at.Links().LinkByIndex(loopback)
	if err != nil {
		return err
	}
	parsed, err := netlink.ParseAddr(netip.PrefixFrom(address, address.BitLen()).String())
	if err != nil {
		return err
	}
	return do(link, parsed)
}

// hasAddress reports whether the namespace accepts packets to an address.
func hasAddress(at *space, address netip.Addr) (bool, error) {
	routes, err := at.Links().RouteGet(address.AsSlice())
	if errors.Is(err, unix.ENETUNREACH) || errors.Is(err, unix.EHOSTUNREACH) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("find the route of %s: %w", address, err)
	}
	return len(routes) > 0 && routes[0].Type == unix.RTN_LOCAL, nil
}
