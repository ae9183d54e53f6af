package bpf

import "fairlead.dev/agents/internal/balancer/datapath"

func (c *counts) add(other counts) {
	c.Packets += other.Packets
	c.Bytes += other.Bytes
	c.Connections += other.Connections
	c.ToClients += other.ToClients
}

// read says of every delivery how much it brought to clients: by those that keep the packet, nothing.
func (c *counts) read() datapath.Counts {
	return datapath.Counts{
		Packets: c.Packets, Bytes: c.Bytes, Connections: c.Connections,
		ToClients: datapath.Answers{Bytes: c.ToClients, Known: true},
	}
}
