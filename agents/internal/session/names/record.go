package names

import (
	"crypto/tls"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	// knownMost bounds the names of one record: rotations within one lifetime, and processes
	// with a key each.
	knownMost = 16
	// failuresMost probes may fail before a server that worked counts as failed.
	failuresMost = 3
)

// Known is a name that a server's tickets had. It is valid until the lifetime of tickets has
// passed since it was last seen.
type Known struct {
	Name        Name
	Since, Seen time.Time
}

// Record is what is known about the tickets of one server under one server name. The zero value
// is one that was never probed.
type Record struct {
	Kind   Kind
	Reason string  // a clause that follows the server's name, if there is a limitation
	Known  []Known // the last seen first
	At     time.Time

	failures int
}

// Change is what happened to a server's names.
type Change string

// The changes.
const (
	Learned Change = "learned" // the first names, or more of them
	Renamed Change = "renamed" // tickets begin with another name than before
	Lacking Change = "lacking" // no name can be learned
	Shared  Change = "shared"  // another server has the same name
)

// Event is something that an operator should see. Its message follows the server's name.
type Event struct {
	Group, Server, ServerName string

	Change  Change
	Message string
	Warning bool
}

// take adds the result of a probe, and returns what changed; its message is empty if nothing did.
func (r *Record) take(findings []Finding, now time.Time, lifetime time.Duration) Event {
	kind, reason := summary(findings)
	r.expire(now, lifetime)
	if kind == Failed {
		r.failures++
		if r.Kind != "" && r.Kind != Failed && r.failures < failuresMost {
			return Event{}
		}
		return r.change(kind, reason, now, reason+": its ticket names can't be learned")
	}
	r.failures = 0
	if kind != Stable {
		return r.change(kind, reason, now, reason+": its clients can't return by ticket name")
	}
	before, wasStable := r.Current(), r.Kind == Stable
	added := r.see(findings, now)
	_ = r.change(kind, reason, now, "")
	current := r.Current()
	gone := slices.DeleteFunc(before, func(name Name) bool { return slices.Contains(current, name) })
	switch {
	case len(added) > 0 && len(gone) > 0:
		return Event{Change: Renamed, Message: fmt.Sprintf("begins its tickets with a new name, %s; clients with tickets of %s still return, until %s",
			list(added), list(gone), now.Add(lifetime).UTC().Format(time.RFC3339))}
	case len(added) > 0 || !wasStable:
		return Event{Change: Learned, Message: "begins its tickets with the " + plural(current) + list(current) + also(reason)}
	}
	return Event{}
}

// change sets the kind, and returns the message as a warning if the kind is new and lacks a name.
func (r *Record) change(kind Kind, reason string, now time.Time, message string) Event {
	isNew := r.Kind != kind
	r.Kind, r.Reason, r.At = kind, reason, now
	if !isNew {
		return Event{}
	}
	return Event{Change: Lacking, Message: message, Warning: message != ""}
}

// see marks the names of the findings as seen, and returns the new ones.
func (r *Record) see(findings []Finding, now time.Time) (added []Name) {
	for _, finding := range findings {
		for _, name := range finding.Names {
			at := slices.IndexFunc(r.Known, func(known Known) bool { return known.Name == name })
			if at < 0 {
				r.Known, at = append(r.Known, Known{Name: name, Since: now}), len(r.Known)
				added = append(added, name)
			}
			r.Known[at].Seen = now
		}
	}
	slices.SortStableFunc(r.Known, func(a, b Known) int { return b.Seen.Compare(a.Seen) })
	r.Known = r.Known[:min(len(r.Known), knownMost)]
	return added
}

func (r *Record) expire(now time.Time, lifetime time.Duration) {
	r.Known = slices.DeleteFunc(r.Known, func(known Known) bool { return !known.valid(now, lifetime) })
}

func (k Known) valid(now time.Time, lifetime time.Duration) bool {
	return now.Before(k.Seen.Add(lifetime))
}

// Current returns the names that were seen last.
func (r *Record) Current() (names []Name) {
	for _, known := range r.Known {
		if known.Seen.Equal(r.Known[0].Seen) {
			names = append(names, known.Name)
		}
	}
	return names
}

// summary is one kind for the findings of all versions. One version with a name is sufficient, and
// a version that the server doesn't offer is no limitation.
func summary(findings []Finding) (kind Kind, reason string) {
	kind = NotOffered
	order := []Kind{NotOffered, NoTickets, Random, Failed, Stable}
	var reasons []string
	for _, finding := range findings {
		if slices.Index(order, finding.Kind) > slices.Index(order, kind) {
			kind = finding.Kind
		}
		if finding.Kind != Stable && finding.Kind != NotOffered && !slices.Contains(reasons, finding.Reason) {
			reasons = append(reasons, finding.Reason)
		}
		if finding.Kind == Stable && finding.Once > 0 {
			reasons = append(reasons, fmt.Sprintf("begins some tickets with names that don't repeat (%d connections with %s)", finding.Once, tls.VersionName(finding.Version)))
		}
	}
	if kind == NotOffered {
		return Failed, "accepts neither TLS 1.3 nor TLS 1.2"
	}
	return kind, strings.Join(reasons, ", and ")
}

func plural(names []Name) string {
	if len(names) == 1 {
		return "name "
	}
	return "names "
}

func list(names []Name) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = name.String()
	}
	return strings.Join(texts, ", ")
}

func also(reason string) string {
	if reason == "" {
		return ""
	}
	return ", but " + reason
}
