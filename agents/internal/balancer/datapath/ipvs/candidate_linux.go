package ipvs

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/moby/ipvs"
	"github.com/sirupsen/logrus"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/genetlink"
)

var deliveries = []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.NAT}

// Candidate is this engine.
func Candidate() datapath.Candidate {
	return datapath.Candidate{Name: "ipvs", Deliveries: deliveries, Schedulers: Schedulers, Preflight: preflight, Open: open}
}

// preflight lists services, which needs the same permission as changing them. A program
// that already has services here may delete those of others, as kube-proxy does: only a
// replica that has run here before may continue.
func preflight(options datapath.Options) error {
	if _, err := net.InterfaceByName(options.Interface); err != nil {
		return fmt.Errorf("ipvs: interface %q doesn't exist: %w; name the one where packets of clients arrive", options.Interface, err)
	}
	handle, err := openHandle()
	if err != nil {
		return err
	}
	defer handle.Close()
	there, others, err := (&Engine{handle: handle, mark: markOf(options.Name)}).read()
	if errors.Is(err, unix.EPERM) {
		return fmt.Errorf("ipvs: changing IP_VS isn't allowed here; give the agent CAP_NET_ADMIN")
	}
	if err != nil {
		return fmt.Errorf("ipvs: %w", err)
	}
	if len(others) > 0 && len(there) == 0 {
		return fmt.Errorf("ipvs: another program has services in IP_VS here, as kube-proxy does on a host; give the agent a network namespace of its own, or choose another engine")
	}
	return nil
}

// openHandle checks for IP_VS itself, because moby/ipvs only logs that it is missing.
func openHandle() (*ipvs.Handle, error) {
	if err := genetlink.Request("IPVS"); err != nil {
		return nil, fmt.Errorf("ipvs: this kernel has no IP_VS (%w); load the module ip_vs on the host, or choose another engine", err)
	}
	logrus.SetOutput(io.Discard) // it still runs modprobe, and logs the result
	handle, err := ipvs.New("")
	if err != nil {
		return nil, fmt.Errorf("ipvs: open netlink: %w", err)
	}
	return handle, nil
}

func open(options datapath.Options) (datapath.Engine, error) {
	handle, err := openHandle()
	if err != nil {
		return nil, err
	}
	return &Engine{handle: handle, mark: markOf(options.Name), warnings: expireInactive("1")}, nil
}

// expireInactive makes the kernel end connections whose backend was removed.
func expireInactive(setting string) []string {
	const key = "/proc/sys/net/ipv4/vs/expire_nodest_conn"
	if err := os.WriteFile(key, []byte(setting), 0); err != nil {
		return []string{fmt.Sprintf("Connections to removed backends hang until they time out, because %s can't be set to %s: %v.", key, setting, err)}
	}
	return nil
}
