package models

// tracked is a choice of backends by hash, with a connection table at each replica. A packet of a connection that the replica
// doesn't have is placed like a new one: replicas choose alike while they have the same backends.
//
// Maglev is this with its consistent hash (Eisenbud et al., NSDI 2016), and Ananta with a hash modulo the number of backends
// (Patel et al., SIGCOMM 2013).
type tracked struct {
	choice   Model
	replicas map[string]map[uint64]string // to five-tuple to backend
}

func newMaglev() *tracked { return newTracked(&consistent{}) }

func newAnanta() *tracked { return newTracked(&hash{}) }

func newTracked(choice Model) *tracked {
	m := &tracked{choice: choice}
	m.Set(nil, nil)
	return m
}

func (m *tracked) Set(backends, replicas []string) {
	m.choice.Set(backends, replicas)
	if len(replicas) == 0 {
		replicas = []string{""} // a balancer without a router
	}
	kept := map[string]map[uint64]string{}
	for _, replica := range replicas {
		if kept[replica] = m.replicas[replica]; kept[replica] == nil {
			kept[replica] = map[uint64]string{}
		}
	}
	m.replicas = kept
}

func (m *tracked) Pick(packet Packet) string {
	connections := m.replicas[packet.Replica]
	backend, known := connections[packet.Flow]
	if !known {
		if backend = m.choice.Pick(packet); backend != "" {
			connections[packet.Flow] = backend
		}
	}
	return backend
}
