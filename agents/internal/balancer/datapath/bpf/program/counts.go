package bpf

import "fairlead.dev/agents/internal/balancer/datapath"

func (c *counts) add(other counts) {
	c.Packets += other.Packets
	c.Bytes += other.Bytes
	c.Connections += other.Connections
	c.ToClients += other.ToClients
}

// read converts the counts. Replies of deliveries that keep the packet bypass the
// replica, so they are 0.
func (c *counts) read() datapath.Counts {
	return datapath.Counts{
		Packets: c.Packets, Bytes: c.Bytes, Connections: c.Connections,
		ToClients: datapath.Answers{Bytes: c.ToClients, Known: true},
	}
}
