package agent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// loop is the state of Run. It belongs to Run's goroutine.
type loop[Desired, Observed any] struct {
	options   Options
	role      Role[Desired, Observed]
	store     lastGood
	saver     *saver
	reporting *cadence

	wanted *agentv1.NodeConfig // the newest, valid or not; nil for none

	caughtUp    bool // the link has delivered its newest
	running     bool // desired was applied without an error
	desired     Desired
	revision    uint64 // of desired
	digest      string // of desired's config
	configError string // why the wanted config is not applied
	corrections uint64

	observeWarning string
	wokenError     string
}

func newLoop[Desired, Observed any](options Options, role Role[Desired, Observed]) *loop[Desired, Observed] {
	store := newLastGood(options.StateFolder, options.StateKey)
	return &loop[Desired, Observed]{
		options: options, role: role, reporting: newCadence(time.Now()),
		store: store, saver: newSaver(store.save, options.Log),
	}
}

// startFromLastGood applies the config from before the restart.
func (l *loop[Desired, Observed]) startFromLastGood(ctx context.Context) {
	config, err := l.store.load()
	if err != nil {
		l.options.Log.Error("starting without the last good config", "err", err)
		l.saver.warn(fmt.Sprintf("This agent started without its last good config (%v); it waits for the control plane.", err))
		return
	}
	if config == nil {
		return
	}
	l.options.Log.Info("starting from the last good config", "revision", config.GetRevision())
	l.behind(true)
	l.take(config)
	l.apply(ctx)
}

// receive applies a config from the link. The first Set may take so long that a newer config has
// arrived by then.
func (l *loop[Desired, Observed]) receive(ctx context.Context, config *agentv1.NodeConfig) {
	if !l.caughtUp {
		l.behind(true)
	}
	if l.take(config) {
		l.apply(ctx)
		l.reporting.soon(time.Now())
	}
	if !l.caughtUp && len(l.options.Link.Configs()) == 0 {
		l.caughtUp = true
		l.behind(false)
	}
}

func (l *loop[Desired, Observed]) behind(is bool) {
	if l.role.Behind != nil {
		l.role.Behind(is)
	}
}

// take stores config as the wanted one, unless it is outdated.
func (l *loop[Desired, Observed]) take(config *agentv1.NodeConfig) bool {
	if l.wanted != nil && config.GetRevision() <= l.wanted.GetRevision() {
		return false
	}
	l.wanted = config
	l.reporting.follow(config)
	return true
}

// apply applies the wanted config, or else the previous one. It can be repeated at any time: on a
// healthy host it changes nothing.
func (l *loop[Desired, Observed]) apply(ctx context.Context) {
	if l.wanted == nil {
		return
	}
	desired, err := l.role.Desired(l.wanted)
	if err != nil {
		l.failed(err)
		l.restore(ctx, true)
		return
	}
	changes, err := l.set(ctx, desired)
	if err != nil {
		l.failed(err)
		l.restore(ctx, false)
		return
	}
	l.succeeded(desired, changes)
}

func (l *loop[Desired, Observed]) set(ctx context.Context, desired Desired) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, setTimeout)
	defer cancel()
	return l.role.Driver.Set(ctx, desired)
}

func (l *loop[Desired, Observed]) failed(err error) {
	reason := err.Error()
	if reason != l.configError { // once, not at every retry
		l.options.Log.Error("the config can't be applied; the previous one stays active", "revision", l.wanted.GetRevision(), "err", err)
	}
	l.configError = reason
}

// restore applies the last good state again, because a failed Set may have been applied partly. If
// the driver was not called, its corrections count as drift.
func (l *loop[Desired, Observed]) restore(ctx context.Context, untouched bool) {
	if !l.running || l.revision == l.wanted.GetRevision() {
		return
	}
	changes, err := l.set(ctx, l.desired)
	if err != nil {
		l.options.Log.Error("the last good config can't be restored either", "revision", l.revision, "err", err)
		return
	}
	if untouched {
		l.corrected(changes)
	}
}

func (l *loop[Desired, Observed]) succeeded(desired Desired, changes int) {
	again := l.running && l.revision == l.wanted.GetRevision()
	l.running, l.desired, l.configError = true, desired, ""
	l.revision, l.digest = l.wanted.GetRevision(), l.wanted.GetDigest()
	if again {
		l.corrected(changes)
		return
	}
	l.options.Log.Info("config applied", "revision", l.revision, "changes", changes)
	l.saver.save(l.wanted)
}

func (l *loop[Desired, Observed]) corrected(changes int) {
	if changes == 0 {
		return
	}
	l.corrections += uint64(changes)
	l.options.Log.Warn("the host had drifted and was corrected", "revision", l.revision, "changes", changes)
}

// report sends the current state to the link. A host that can't be observed is reported too.
func (l *loop[Desired, Observed]) report(ctx context.Context) {
	report := &agentv1.ReportRequest{
		At: timestamppb.Now(), ObservedRevision: l.revision, ObservedDigest: l.digest,
		ConfigError: text(l.configError), Corrections: l.corrections,
	}
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	observed, err := l.role.Driver.Observe(ctx)
	if ctx.Err() == context.Canceled {
		return
	}
	if err != nil {
		l.observeFailed(err)
	} else {
		l.observeWarning = ""
		l.role.Fill(observed, report)
	}
	for _, warning := range []string{l.saver.currentWarning(), l.observeWarning} {
		if warning != "" {
			report.Warnings = append(report.Warnings, text(warning))
		}
	}
	l.options.Link.Report(report)
}

func (l *loop[Desired, Observed]) observeFailed(err error) {
	warning := fmt.Sprintf("The host could not be observed: %v.", err)
	if warning != l.observeWarning {
		l.options.Log.Error("the host can't be observed", "revision", l.revision, "err", err)
	}
	l.observeWarning = warning
}

// text replaces invalid UTF-8: an error may quote a file or interface name with arbitrary bytes,
// and such a report could not be encoded.
func text(words string) string { return strings.ToValidUTF8(words, "?") }
