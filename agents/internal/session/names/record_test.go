package names

import (
	"crypto/tls"
	"errors"
	"reflect"
	"testing"
	"time"
)

const day = 24 * time.Hour

var (
	one, two, three = Name{1}, Name{2}, Name{3}
	start           = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
)

func stable(names ...Name) []Finding {
	return []Finding{{Version: tls.VersionTLS13, Kind: Stable, Names: names}}
}

func failed() []Finding {
	return []Finding{failure(tls.VersionTLS13, errors.New("refused the connection"))}
}

func ticketsOf(names ...Name) (connections [][][]byte) {
	for _, name := range names {
		connections = append(connections, [][]byte{append(name[:], "sealed"...)})
	}
	return connections
}

func TestANameCountsWhenTwoConnectionsHaveIt(t *testing.T) {
	tests := []struct {
		name        string
		connections [][][]byte
		kind        Kind
		names       []Name
		once        int
	}{
		{"the same on all", ticketsOf(one, one, one), Stable, []Name{one}, 0},
		{"two processes", ticketsOf(two, one, one, two), Stable, []Name{one, two}, 0},
		{"a rotation during the probe", ticketsOf(one, two, two), Stable, []Name{two}, 1},
		{"another each time", ticketsOf(one, two, three), Random, nil, 3},
		{"the same only within a connection", [][][]byte{{one[:], one[:]}, {two[:], two[:]}}, Random, nil, 2},
		{"another in each connection beside one that repeats", [][][]byte{{one[:], two[:]}, {one[:], three[:]}}, Stable, []Name{one}, 2},
		{"too short", [][][]byte{{one[:15]}, {one[:15]}}, Random, nil, 2},
		{"none", [][][]byte{nil, nil, nil}, NoTickets, nil, 0},
		{"some without a ticket", [][][]byte{{one[:]}, nil, {one[:]}}, Stable, []Name{one}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := judge(tls.VersionTLS13, test.connections)
			if got.Kind != test.kind || !reflect.DeepEqual(got.Names, test.names) || got.Once != test.once {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestARecordReportsChangesOnce(t *testing.T) {
	random := []Finding{judge(tls.VersionTLS13, ticketsOf(one, two))}
	half := append(stable(one), judge(tls.VersionTLS12, ticketsOf(two, three)))
	tests := []struct {
		name    string
		probes  [][]Finding
		message string // of the last one
		warning bool
	}{
		{"learned", [][]Finding{stable(one)}, "begins its tickets with the name 01000000000000000000000000000000", false},
		{"the same again", [][]Finding{stable(one), stable(one)}, "", false},
		{
			"rotated", [][]Finding{stable(one), stable(two)},
			"begins its tickets with a new name, 02000000000000000000000000000000; clients with tickets of 01000000000000000000000000000000 still return, until 2026-12-01T01:00:00Z", false,
		},
		{"another process", [][]Finding{stable(one), stable(one, two)}, "begins its tickets with the names 01000000000000000000000000000000, 02000000000000000000000000000000", false},
		{"random", [][]Finding{random}, "begins each ticket with other bytes (2 connections with TLS 1.3): its clients can't return by ticket name", true},
		{"random again", [][]Finding{random, random}, "", false},
		{
			"one version only", [][]Finding{half},
			"begins its tickets with the name 01000000000000000000000000000000, but begins each ticket with other bytes (2 connections with TLS 1.2)", false,
		},
		{"fails at once", [][]Finding{failed()}, "refused the connection: its ticket names can't be learned", true},
		{"fails once after it worked", [][]Finding{stable(one), failed()}, "", false},
		{"fails twice, then works", [][]Finding{stable(one), failed(), failed(), stable(one), failed()}, "", false},
		{"fails three times", [][]Finding{stable(one), failed(), failed(), failed()}, "refused the connection: its ticket names can't be learned", true},
		{"recovers", [][]Finding{failed(), stable(one)}, "begins its tickets with the name 01000000000000000000000000000000", false},
		{"offers no version", [][]Finding{{{Kind: NotOffered}, {Kind: NotOffered}}}, "accepts neither TLS 1.3 nor TLS 1.2: its ticket names can't be learned", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var record Record
			var event Event
			for i, findings := range test.probes {
				event = record.take(findings, start.Add(time.Duration(i)*time.Hour), day)
			}
			if event.Message != test.message || event.Warning != test.warning {
				t.Errorf("got %+v", event)
			}
		})
	}
}

func TestANameIsValidForALifetimeAfterItWasLastSeen(t *testing.T) {
	var record Record
	valid := func(at time.Time) (names []Name) {
		for _, known := range record.Known {
			if known.valid(at, day) {
				names = append(names, known.Name)
			}
		}
		return names
	}
	record.take(stable(one), start, day)
	record.take(stable(one), start.Add(time.Hour), day)
	record.take(stable(two), start.Add(2*time.Hour), day)
	for _, test := range []struct {
		after time.Duration
		want  []Name
	}{{2 * time.Hour, []Name{two, one}}, {25*time.Hour - 1, []Name{two, one}}, {25 * time.Hour, []Name{two}}, {26 * time.Hour, nil}} {
		if got := valid(start.Add(test.after)); !reflect.DeepEqual(got, test.want) {
			t.Errorf("after %v: %v, want %v", test.after, got, test.want)
		}
	}
	record.take(failed(), start.Add(3*time.Hour), day)
	if len(record.Known) != 2 {
		t.Errorf("a failure removed names: %v", record.Known)
	}
	record.take(failed(), start.Add(25*time.Hour), day)
	if len(record.Known) != 1 {
		t.Errorf("an expired name is kept: %v", record.Known)
	}
}

func TestARecordKeepsABoundedNumberOfNames(t *testing.T) {
	var record Record
	for i := range 100 {
		record.take(stable(Name{byte(i)}), start.Add(time.Duration(i)*time.Minute), day)
	}
	if len(record.Known) != knownMost || record.Known[0].Name != (Name{99}) {
		t.Errorf("%d names, the first %v", len(record.Known), record.Known[0])
	}
}
