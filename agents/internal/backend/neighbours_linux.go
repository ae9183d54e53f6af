package backend

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
)

// quiet are settings without which a host answers ARP requests for a service address that it has on
// loopback, or names it in its own requests, and takes the address from the balancers. IPv6 needs none.
var quiet = map[string]string{"arp_ignore": "1", "arp_announce": "2"}

// keepQuiet makes the interface leave the ARP of a service address to the balancers. What it returns
// doesn't keep the server from accepting connections.
func keepQuiet(at *space, iface string, address netip.Addr) (limitation string) {
	if !address.Is4() {
		return ""
	}
	err := at.Do(func() error {
		for name, least := range quiet {
			// /proc/sys/net shows the namespace of the thread that opens it.
			all, own := settingPath("all", name), settingPath(iface, name)
			if isAtLeast(all, least) || isAtLeast(own, least) {
				continue
			}
			if err := os.WriteFile(own, []byte(least), 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		return ""
	}
	return fmt.Sprintf("It may answer ARP requests for %s, because the agent can't change that (%s): set net.ipv4.conf.all.arp_ignore to 1 and net.ipv4.conf.all.arp_announce to 2 in its network namespace.", address, err)
}

func settingPath(iface, name string) string {
	return filepath.Join("/proc/sys/net/ipv4/conf", iface, name)
}

func isAtLeast(path, least string) bool {
	value, err := os.ReadFile(path)
	return err == nil && strings.TrimSpace(string(value)) >= least // one digit each
}
