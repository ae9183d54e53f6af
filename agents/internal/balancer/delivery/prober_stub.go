//go:build !linux

package delivery

import (
	"context"

	"fairlead.dev/agents/internal/health"
)

// Prober probes no path: only Linux has data paths.
type Prober struct {
	own func(context.Context, health.Target) error
}

// New returns a prober. own probes targets without a path.
func New(_ string, own func(context.Context, health.Target) error) *Prober { return &Prober{own} }

// Close implements io.Closer.
func (p *Prober) Close() error { return nil }

// Warning is always "".
func (p *Prober) Warning() string { return "" }

// Probe probes once. A target with a path counts as good.
func (p *Prober) Probe(ctx context.Context, target health.Target) error {
	if target.Path == (health.Path{}) {
		return p.own(ctx, target)
	}
	return nil
}
