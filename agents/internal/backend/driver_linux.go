package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/companion"
	"fairlead.dev/agents/internal/session/ids"
)

const (
	// lookEveryDefault is how often the driver checks whether servers are ready.
	lookEveryDefault = time.Second

	// searchEvery is the number of looks after which namespaces are searched while each server has one.
	// Without one, they are searched at each look.
	searchEvery = 5
)

// Options are the role's dependencies on the host.
type Options struct {
	Pins        string // folder of this agent on a BPF file system
	StateFolder string
	Namespaces  string // pattern of files; empty: those of all processes
	Log         *slog.Logger
	LookEvery   time.Duration // 0: each second
}

// Observed is the observed state of the role.
type Observed struct {
	Status  *agentv1.BackendRoleStatus // nil while the role is off
	Series  []*agentv1.SeriesPoints
	Warning string // of what is left of removed servers; empty: nothing
}

// Driver runs companions. All methods but Wake and Metrics belong to the agent's loop.
type Driver struct {
	options   Options
	wake      chan struct{}
	end       chan struct{}
	addresses *addresses
	keeper    *keeper
	ids       *companion.Room // of all companions

	desired  Desired
	isProven bool   // the kernel can run companions
	problem  string // why no server of this host can be ready, as a sentence
	warning  string // what could not be removed, as a sentence
	isUnsure bool   // some namespace couldn't be read
	searched time.Time
	located  located
	places   map[at]*place
	statuses map[key]*agentv1.BackendServerStatus
	figures  figures
}

var _ agent.Driver[Desired, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(options Options) *Driver {
	d := &Driver{
		options: options, wake: make(chan struct{}), end: make(chan struct{}),
		places: map[at]*place{}, statuses: map[key]*agentv1.BackendServerStatus{}, ids: ids.NewRoom[struct{}](),
	}
	d.options.LookEvery = cmp.Or(options.LookEvery, lookEveryDefault)
	d.keeper = newKeeper(options.Log, searchEvery*d.options.LookEvery)
	var err error
	if d.addresses, err = loadAddresses(options.StateFolder); err != nil {
		options.Log.Error("service addresses that a former process added are not removed", "err", err)
	}
	go d.tick()
	return d
}

// tick requests looks until the driver is closed.
func (d *Driver) tick() {
	ticker := time.NewTicker(d.options.LookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-d.end:
			return
		case <-ticker.C:
		}
		select {
		case <-d.end:
			return
		case d.wake <- struct{}{}:
		}
	}
}

// Set runs companions for exactly these servers. A server without a namespace is no error: it may
// appear later, and its status has the reason.
func (d *Driver) Set(_ context.Context, desired Desired) (changes int, err error) {
	d.desired = desired.after(d.desired)
	d.keeper.set(d.desired.Servers)
	changes = d.apply(time.Now())
	d.look()
	return changes, nil
}

// Woken searches namespaces again where necessary, and reports whether any server's state changed.
func (d *Driver) Woken(context.Context) (news bool, err error) {
	if !d.desired.On {
		return false, nil
	}
	if now := time.Now(); d.isIncomplete() || now.Sub(d.searched) >= searchEvery*d.options.LookEvery {
		d.apply(now)
	}
	return d.look(), nil
}

func (d *Driver) isIncomplete() bool {
	if d.problem != "" || d.isUnsure || len(d.located.missing) > 0 {
		return true
	}
	for _, p := range d.places {
		if p.failure != nil || len(p.unaddressed) > 0 || !p.companion.IsAttached() {
			return true
		}
	}
	return false
}

// apply makes the host match the desired state. What fails for one server is part of its status.
func (d *Driver) apply(now time.Time) (changes int) {
	d.searched, d.problem = now, ""
	if err := d.prove(); err != nil {
		d.problem = sentence(err)
		return 0
	}
	found, err := d.search()
	if err != nil {
		d.problem = sentence(err)
		return 0
	}
	before := d.located
	d.located = locate(d.desired.Servers, found, d.options.Namespaces)
	unread := d.keepUnread(before, found)
	var errs []error
	if d.isUnsure = found.failed != nil; d.isUnsure {
		errs = append(errs, fmt.Errorf("read all network namespaces: %w", found.failed))
	}
	for where, p := range d.places {
		if _, stays := d.located.places[where]; !stays && !unread[where] {
			errs = append(errs, p.remove(d.options.Pins))
			delete(d.places, where)
			changes++
		}
	}
	addressed := map[placed]bool{}
	for where, w := range d.located.places {
		changes += d.setPlace(where, w, addressed, now)
	}
	removed, err := d.addresses.keep(addressed, found)
	d.warn(errors.Join(append(errs, err, d.removeFormer(found), found.close())...))
	return changes + removed
}

// keepUnread keeps the servers in namespaces that couldn't be read now as they were, and returns their places.
func (d *Driver) keepUnread(before located, found *spaces) map[at]bool {
	unread := map[at]bool{}
	if found.failed == nil {
		return unread
	}
	for i := range d.desired.Servers {
		key := d.desired.Servers[i].key()
		where, was := before.of[key]
		if _, missing := d.located.missing[key]; missing && was && d.places[where] != nil && found.byID(where.space) == nil {
			delete(d.located.missing, key)
			d.located.of[key], unread[where] = where, true
		}
	}
	return unread
}

// prove checks the kernel, which doesn't change, until it passes.
func (d *Driver) prove() (err error) {
	if !d.isProven && len(d.desired.Servers) > 0 {
		err = companion.PreflightKernel()
		d.isProven = err == nil
	}
	return err
}

// warn logs an error once, not at every search.
func (d *Driver) warn(err error) {
	before := d.warning
	if d.warning = ""; err == nil {
		return
	}
	if d.warning = sentence(err); d.warning != before {
		d.options.Log.Error("what is left of former servers isn't removed", "err", err)
	}
}

// search keeps the namespaces that the role uses, or used.
func (d *Driver) search() (*spaces, error) {
	if len(d.desired.Servers) == 0 && len(d.addresses.added) == 0 {
		return &spaces{}, nil
	}
	return search(d.options.Namespaces, func(one *space) bool {
		isHome := func(s Server) bool { _, has := one.addresses[s.Own]; return has }
		return slices.ContainsFunc(d.desired.Servers, isHome) || d.addresses.isIn(one.id)
	})
}

func (d *Driver) setPlace(where at, w *wanted, addressed map[placed]bool, now time.Time) (changes int) {
	p := d.places[where]
	if p == nil {
		var err error
		if p, err = openPlace(where, w); err != nil {
			for _, s := range w.servers {
				d.located.missing[s.key()] = sentence(err)
			}
			return 0
		}
		d.places[where] = p
	}
	if p.set(w, d.options.Pins, d.ids, now) {
		changes++
	}
	p.unaddressed, p.limitations = nil, nil
	quiet := map[netip.Addr]bool{}
	for _, s := range w.servers {
		address := s.Service.Addr()
		if !quiet[address] { // on each interface of the namespace that has servers
			quiet[address] = true
			if limitation := keepQuiet(w.space, p.iface, address); limitation != "" {
				p.limitations = with(p.limitations, address, limitation)
			}
		}
		if addressed[placed{where.space, address}] {
			continue
		}
		addressed[placed{where.space, address}] = true
		changed, err := d.addresses.add(w.space, address)
		if err != nil {
			p.unaddressed = with(p.unaddressed, address, err)
		}
		if changed {
			changes++
		}
	}
	return changes
}

func with[K comparable, V any](all map[K]V, key K, value V) map[K]V {
	if all == nil {
		all = map[K]V{}
	}
	all[key] = value
	return all
}

// removeFormer removes the programs of servers that were removed, or ended, while no agent ran.
func (d *Driver) removeFormer(found *spaces) error {
	entries, err := os.ReadDir(d.options.Pins)
	if errors.Is(err, os.ErrNotExist) || !found.isWhole() {
		return nil
	}
	kept := map[string]bool{}
	for where := range d.located.places {
		kept[where.pin()] = true
	}
	errs := []error{err}
	for _, entry := range entries {
		if !kept[entry.Name()] {
			errs = append(errs, companion.RemovePinned(filepath.Join(d.options.Pins, entry.Name())))
		}
	}
	return errors.Join(errs...)
}

// Close ends the process's part. Servers accept connections without it.
func (d *Driver) Close() error {
	close(d.end)
	d.keeper.close()
	var errs []error
	for p := range maps.Values(d.places) {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}
