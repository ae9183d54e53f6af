package attach

import (
	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
)

// atInterface is a point of an interface. The host's end of a veth is one like any other:
// what a pod sends arrives there.
type atInterface struct {
	point   Point
	network *neighbour.Network
}

func (i *atInterface) name() string { return i.network.Name }

func (i *atInterface) attach(program *ebpf.Program) (attached link.Link, err error) {
	err = i.network.Within(func() (err error) {
		attached, err = i.point.Attach(program, i.network.Index)
		return err
	})
	return attached, err
}

func (i *atInterface) has(info *link.Info) bool { return i.point.Interface(info) == i.network.Index }

func (i *atInterface) chain() (chain []ebpf.ProgramID, err error) {
	if i.point.Chain == nil {
		return nil, nil
	}
	err = i.network.Within(func() (err error) {
		chain, err = i.point.Chain(i.network.Index)
		return err
	})
	return chain, err
}
