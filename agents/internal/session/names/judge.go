package names

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
)

// Kind is what the tickets of a server are like.
type Kind string

// The kinds of finding.
const (
	Stable     Kind = "stable"      // tickets begin with names that repeat
	Random     Kind = "random"      // no name repeats, or tickets are too short for one
	NoTickets  Kind = "no tickets"  // the server sends none
	NotOffered Kind = "not offered" // the server doesn't accept this version of TLS
	Failed     Kind = "failed"      // there was no connection
)

// Finding is the result of a probe with one version of TLS.
type Finding struct {
	Version uint16
	Kind    Kind
	Names   []Name // if stable: usually one; several if the server has processes with a key each
	Once    int    // connections whose tickets have no name that repeats
	Reason  string // a clause that follows the server's name, unless the kind is stable
}

var errNotOffered = errors.New("doesn't accept this version of TLS")

func failure(version uint16, err error) Finding {
	kind := Failed
	if errors.Is(err, errNotOffered) {
		kind = NotOffered
	}
	return Finding{Version: version, Kind: kind, Reason: err.Error()}
}

// judge finds the names in the tickets of several connections. A name counts when tickets of two
// connections have it: a server could also use a random value per connection.
func judge(version uint16, connections [][][]byte) Finding {
	seen := map[Name]int{}
	tickets := 0
	for _, connection := range connections {
		tickets += len(connection)
		for name := range namesOf(connection) {
			seen[name]++
		}
	}
	finding := Finding{Version: version}
	for name, times := range seen {
		if times > 1 {
			finding.Names = append(finding.Names, name)
		}
	}
	slices.SortFunc(finding.Names, func(a, b Name) int { return bytes.Compare(a[:], b[:]) })
	for _, connection := range connections {
		if len(connection) > 0 && !repeats(connection, finding.Names) {
			finding.Once++
		}
	}
	switch {
	case tickets == 0:
		finding.Kind, finding.Reason = NoTickets, fmt.Sprintf("sends no tickets with %s", tls.VersionName(version))
	case len(finding.Names) == 0:
		finding.Kind, finding.Reason = Random, fmt.Sprintf("begins each ticket with other bytes (%d connections with %s)", len(connections), tls.VersionName(version))
	default:
		finding.Kind = Stable
	}
	return finding
}

func namesOf(tickets [][]byte) map[Name]bool {
	found := map[Name]bool{}
	for _, ticket := range tickets {
		if name, ok := Of(ticket); ok {
			found[name] = true
		}
	}
	return found
}

// repeats reports whether all tickets of a connection have names that repeat.
func repeats(connection [][]byte, names []Name) bool {
	return !slices.ContainsFunc(connection, func(ticket []byte) bool {
		name, ok := Of(ticket)
		return !ok || !slices.Contains(names, name)
	})
}
