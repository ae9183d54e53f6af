package hello

import "bytes"

const (
	serverNameExtension   = 0
	protocolsExtension    = 16
	ticketExtension       = 35
	preSharedKeyExtension = 41
	versionsExtension     = 43

	hostName       = 0 // the only kind of server name
	ticketAgeBytes = 4
	tls13          = 0x0304
)

// parseExtensions reads all extensions, because a duplicate makes the hello invalid.
func (h *Hello) parseExtensions(extensions cursor) bool {
	var seen uint64 // a bit for each of the extensions below
	for len(extensions.left) > 0 {
		kind, ok := extensions.number(2)
		content, more := extensions.vector(2)
		if !ok || !more {
			return false
		}
		switch kind {
		case serverNameExtension:
			h.ServerName, ok = serverName(content)
		case protocolsExtension:
			h.protocols, ok = protocols(content)
		case ticketExtension:
			h.Ticket = content.left
		case versionsExtension:
			h.ListsVersions, h.OffersTLS13 = true, listsTLS13(content)
		case preSharedKeyExtension:
			h.identities, ok = identities(content)
			ok = ok && len(extensions.left) == 0 // it must be the last one
		default:
			continue
		}
		if !ok || seen&(1<<kind) != 0 {
			return false
		}
		seen |= 1 << kind
	}
	return true
}

// serverName requires exactly one name: a list has one name of each kind, and there is one
// kind.
func serverName(content cursor) ([]byte, bool) {
	list, ok := content.vector(2)
	if !ok || len(content.left) != 0 {
		return nil, false
	}
	kind, ok := list.number(1)
	if !ok || kind != hostName {
		return nil, false
	}
	name, ok := list.vector(2)
	if !ok || len(list.left) != 0 || len(name.left) == 0 || bytes.IndexByte(name.left, 0) >= 0 {
		return nil, false
	}
	return name.left, true
}

// listsTLS13 searches a list of versions. Clients that offer TLS 1.2 alone may send one, too.
func listsTLS13(content cursor) bool {
	list, ok := content.vector(1)
	if !ok || len(content.left) != 0 {
		return false
	}
	for {
		version, ok := list.number(2)
		if !ok || version == tls13 {
			return ok
		}
	}
}

// protocols checks a list of names, and returns it without its length.
func protocols(content cursor) ([]byte, bool) {
	list, ok := content.vector(2)
	if !ok || len(content.left) != 0 || len(list.left) == 0 {
		return nil, false
	}
	for rest := list; len(rest.left) > 0; {
		if name, ok := rest.vector(1); !ok || len(name.left) == 0 {
			return nil, false
		}
	}
	return list.left, true
}

// identities checks a list of pre-shared keys and the proofs (binders) that follow it, one
// for each, and returns the list without its length.
func identities(content cursor) ([]byte, bool) {
	list, ok := content.vector(2)
	if !ok || len(list.left) == 0 {
		return nil, false
	}
	keys := 0
	for rest := list; len(rest.left) > 0; keys++ {
		identity, ok := rest.vector(2)
		if !ok || len(identity.left) == 0 {
			return nil, false
		}
		if _, ok := rest.take(ticketAgeBytes); !ok {
			return nil, false
		}
	}
	proofs, ok := content.vector(2)
	if !ok || len(content.left) != 0 {
		return nil, false
	}
	for ; len(proofs.left) > 0; keys-- {
		if proof, ok := proofs.vector(1); !ok || len(proof.left) == 0 {
			return nil, false
		}
	}
	return list.left, keys == 0
}
