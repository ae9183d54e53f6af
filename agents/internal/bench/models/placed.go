package models

import "math/rand/v2"

// cheetah is the stateless balancer of Barbette et al. (NSDI 2020): the SYN-ACK has the number of the server in its TCP timestamp,
// which the client echoes with each packet. Any replica reads it, so connections never move. New ones go to any server.
type cheetah struct{ placed }

func newCheetah() *cheetah { return &cheetah{newPlaced(3)} }

// yoda ends TCP, and keeps the state of each connection in a store that all replicas share (Gandhi et al., EuroSys 2016). Its rules
// by HTTP cookie aren't in the model: they need TLS to end at the balancer, which then has the sessions itself.
type yoda struct{ placed }

func newYoda() *yoda { return &yoda{newPlaced(4)} }

// placed places each new connection at random. Every replica finds it again: by what its packets echo, or in a shared store.
type placed struct {
	backends    []string
	connections map[uint64]string
	random      *rand.Rand
}

func newPlaced(seed uint64) placed {
	return placed{connections: map[uint64]string{}, random: rand.New(rand.NewPCG(seed, 1))}
}

func (m *placed) Set(backends, _ []string) { m.backends = backends }

func (m *placed) Pick(packet Packet) string {
	if packet.Kind == SYN && len(m.backends) > 0 {
		m.connections[packet.Flow] = m.backends[m.random.IntN(len(m.backends))]
	}
	return m.connections[packet.Flow]
}
