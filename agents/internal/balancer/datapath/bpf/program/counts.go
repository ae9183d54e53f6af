package program

import "fairlead.dev/agents/internal/balancer/datapath"

// Add adds the counts of another CPU or backend.
func (c *Counts) Add(other Counts) {
	c.Packets += other.Packets
	c.Bytes += other.Bytes
	c.Connections += other.Connections
	c.ToClients += other.ToClients
}

// Read converts the counts. Replies of deliveries that keep the packet bypass the
// replica, so they are 0.
func (c *Counts) Read() datapath.Counts {
	return datapath.Counts{
		Packets: c.Packets, Bytes: c.Bytes, Connections: c.Connections,
		ToClients: datapath.Answers{Bytes: c.ToClients, Known: true},
	}
}
