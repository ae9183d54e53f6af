package userspace

// names are those that TLS clients ask for, each with the backends that have it. One
// whose backends take no new connections has an empty group.
type names map[string]*group

// nameMost is how long a name can be in the domain name system.
const nameMost = 253

func (n names) of(name string) *group {
	g := n[name]
	if g == nil {
		g = &group{}
		n[name] = g
	}
	return g
}

// find takes the name as a client wrote it: letters may be large, and a dot may end it.
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
