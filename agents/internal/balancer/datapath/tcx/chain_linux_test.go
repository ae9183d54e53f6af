package tcx_test

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/bpftest"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/balancer/datapath/tcx"
)

const (
	returnsNext = -1
	returnsPass = 0
)

func TestPacketsPassTheBalancerBeforeOtherPrograms(t *testing.T) {
	network := datapathtest.NewNetwork(t, false)
	attach(t, network, "came_first", returnsPass, link.Tail())
	engine, service := carry(t, network)
	attach(t, network, "came_later", returnsPass, link.Tail())
	if _, err := (datapathtest.Client{Space: network.Client}).RequestOnce(service.Key); err != nil {
		t.Error(err)
	}
	if warnings := warningsOf(t, engine); len(warnings) > 0 {
		t.Errorf("warnings %q", warnings)
	}
}

func TestAProgramThatKeepsPacketsFromTheBalancerIsNamed(t *testing.T) {
	network := datapathtest.NewNetwork(t, false)
	engine, service := carry(t, network)
	client := datapathtest.Client{Space: network.Client}
	attach(t, network, "observer", returnsNext, link.Head())
	if _, err := client.RequestOnce(service.Key); err != nil {
		t.Error(err)
	}
	if warnings := warningsOf(t, engine); len(warnings) > 0 {
		t.Errorf("of a program that passes packets on: warnings %q", warnings)
	}
	intruder := attach(t, network, "intruder", returnsPass, link.Head())
	if answer, err := client.RequestOnce(service.Key); err == nil {
		t.Errorf("%s answers", answer.Backend)
	}
	isNamed := func(warning string) bool {
		return strings.HasPrefix(warning, `The program "intruder" (ID `) && strings.Contains(warning, "runs before the balancer's at eth0")
	}
	if warnings := warningsOf(t, engine); len(warnings) != 1 || !isNamed(warnings[0]) {
		t.Errorf("warnings %q", warnings)
	}
	if err := intruder.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := client.RequestOnce(service.Key); err != nil {
		t.Error(err)
	}
	if warnings := warningsOf(t, engine); slices.ContainsFunc(warnings, isNamed) {
		t.Errorf("once it is gone: warnings %q", warnings)
	}
}

// attach attaches a program that always returns the same to the balancer's interface.
func attach(t *testing.T, network *datapathtest.Network, name string, returns int32, anchor link.Anchor) (attached link.Link) {
	t.Helper()
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: name, Type: ebpf.SchedCLS, AttachType: ebpf.AttachTCXIngress, License: "GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, returns), asm.Return()},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	if err := network.Balancers[0].Do(func() error {
		on, err := net.InterfaceByName(datapathtest.Interface)
		if err != nil {
			return err
		}
		attached, err = link.AttachTCX(link.TCXOptions{Interface: on.Index, Program: program, Attach: ebpf.AttachTCXIngress, Anchor: anchor})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = attached.Close() })
	return attached
}

// carry opens the engine in the first balancer, with one service.
func carry(t *testing.T, network *datapathtest.Network) (engine datapath.Engine, service datapath.Service) {
	t.Helper()
	service = network.Service(datapath.Direct, "")
	if err := network.Balancers[0].Do(func() (err error) {
		engine, err = tcx.Candidate.Open(datapath.Options{
			Interface: datapathtest.Interface, StateFolder: bpftest.StateFolder, Name: fmt.Sprintf("flchain%d", unix.Getpid()), Connections: 1024,
		})
		if err != nil {
			return err
		}
		t.Cleanup(func() {
			if err := engine.Remove(); err != nil {
				t.Error(err)
			}
		})
		_, err = datapath.Whole(engine.Set(t.Context(), []datapath.Service{service}))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return engine, service
}

func warningsOf(t *testing.T, engine datapath.Engine) []string {
	t.Helper()
	observed, err := engine.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return observed.Warnings
}
