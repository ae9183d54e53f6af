package adaptive

import (
	"context"
	"fmt"
	"net/netip"
	"os/exec"

	"fairlead.dev/agents/internal/genetlink"
)

// install prepares the kernel for a subject, and returns the address to connect to and how to undo it. Between turns there
// are no rules: they make the kernel track connections, which would slow other subjects down.
func (l *lab) install(ctx context.Context, subject string, over transport) (service netip.AddrPort, undo func() error, err error) {
	if scheduler, is := schedulerOf(subject); is {
		undo, err = l.runIPVS(ctx, scheduler)
		return virtualService, undo, err
	}
	if subject == iptables {
		return translatedService, func() error { return l.stopTranslating(context.WithoutCancel(ctx)) }, l.translate(ctx)
	}
	return ourServices[over], func() error { return nil }, nil
}

// leftOut returns why this machine can't run a subject; empty if it can.
func leftOut(subject string) string {
	if _, is := schedulerOf(subject); is {
		if err := genetlink.Request("IPVS"); err != nil {
			return fmt.Sprintf("this kernel has no IP_VS: %v", err)
		}
	}
	if subject == iptables {
		if _, err := exec.LookPath(iptablesProgram); err != nil {
			return fmt.Sprintf("install iptables: %v", err)
		}
	}
	return ""
}
