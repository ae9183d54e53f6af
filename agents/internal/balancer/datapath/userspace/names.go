package userspace

// names maps the TLS server names to the backends that have them. A name whose backends
// take no new connections has an empty group.
type names map[string]*group

// nameMost is the maximum length of a DNS name.
const nameMost = 253

func (n names) of(name string) *group {
	g := n[name]
	if g == nil {
		g = &group{}
		n[name] = g
	}
	return g
}

// find accepts the name as a client wrote it: in any case, and with or without a final
// dot.
func (n names) find(written []byte) *group {
	if size := len(written); size > 0 && written[size-1] == '.' {
		written = written[:size-1]
	}
	var small [nameMost]byte
	if len(written) > nameMost {
		return nil
	}
	for i, letter := range written {
		if 'A' <= letter && letter <= 'Z' {
			letter += 'a' - 'A'
		}
		small[i] = letter
	}
	return n[string(small[:len(written)])]
}
