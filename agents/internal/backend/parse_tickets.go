package backend

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/keys"
	"fairlead.dev/agents/internal/session/names"
)

const (
	ticketKeysMost  = 1024
	pathMost        = 1024
	socketMost      = 107 // of a Unix socket's address
	instanceInPaths = "{instance}"
)

// Tickets are the managed ticket keys of a server.
type Tickets struct {
	Revision uint64
	Place    keys.Place
	Keys     keys.Server
}

// parseTickets returns nil for a server that has keys of its own. No error contains a key.
func parseTickets(spec *agentv1.TicketKeys, instance string) (tickets *Tickets, err error) {
	if spec == nil {
		return nil, nil
	}
	place := keys.Place{Software: keys.Software(spec.GetSoftware())}
	if !slices.Contains(keys.All, place.Software) {
		return nil, fmt.Errorf("ticket_keys software %q is unknown; give one of %s", spec.GetSoftware(), softwareNames())
	}
	if place.Folder, err = parsePath("folder", spec.GetFolder(), instance, pathMost); err != nil {
		return nil, err
	}
	if spec.GetSocket() != "" {
		if place.Software != keys.ForHAProxy {
			return nil, fmt.Errorf("ticket_keys socket is only for %s; leave it out for %s", keys.ForHAProxy, place.Software)
		}
		if place.Socket, err = parsePath("socket", spec.GetSocket(), instance, socketMost); err != nil {
			return nil, err
		}
	}
	parsed, err := parseTicketKeys(spec.GetKeys())
	if err != nil {
		return nil, fmt.Errorf("ticket_keys: %w", err)
	}
	return &Tickets{Revision: spec.GetRevision(), Place: place, Keys: parsed}, nil
}

func softwareNames() string {
	all := make([]string, len(keys.All))
	for i, one := range keys.All {
		all[i] = string(one)
	}
	return strings.Join(all, ", ")
}

// parsePath returns a path with the instance's name, which can't lead out of the path's folder.
func parsePath(field, text, instance string, most int) (string, error) {
	path := text
	if strings.Contains(text, instanceInPaths) {
		if !filepath.IsLocal(instance) || instance == "." {
			return "", fmt.Errorf("ticket_keys %s: the instance's name %q can't be part of a path; give a %s without %s", field, instance, field, instanceInPaths)
		}
		path = strings.ReplaceAll(text, instanceInPaths, instance)
	}
	if !filepath.IsAbs(path) || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", fmt.Errorf("ticket_keys %s %q is invalid; give an absolute path, such as /run/fairlead/tickets/%s", field, text, instanceInPaths)
	}
	if path = filepath.Clean(path); len(path) > most {
		return "", fmt.Errorf("ticket_keys %s %q is too long; give at most %d bytes", field, path, most)
	}
	return path, nil
}

func parseTicketKeys(specs []*agentv1.TicketKey) (server keys.Server, err error) {
	if len(specs) == 0 {
		return server, errors.New("keys are missing; give the server's own one first")
	}
	if len(specs) > ticketKeysMost {
		return server, fmt.Errorf("%d keys are too many; give at most %d", len(specs), ticketKeysMost)
	}
	seen := map[names.Name]bool{}
	for i, spec := range specs {
		name := cmp.Or(spec.GetServer(), fmt.Sprintf("number %d", i+1))
		if len(spec.GetServer()) > textMost {
			return server, fmt.Errorf("key %d: a server's name of %d bytes is too long; give at most %d", i+1, len(spec.GetServer()), textMost)
		}
		key, err := keys.NewKey(spec.GetServer(), spec.GetEpoch(), spec.GetName(), spec.GetSecret())
		if err != nil {
			return server, fmt.Errorf("key of %s: %w", name, err)
		}
		if seen[key.Name] {
			return server, fmt.Errorf("key of %s: another key has the same name; give each its own", name)
		}
		seen[key.Name] = true
		if i == 0 {
			server.ID, server.Own = key.Server, key
			continue
		}
		server.Accept = append(server.Accept, key)
	}
	return server, nil
}
