package entry

import (
	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	engine "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// targetKey is a backend by which the costs and the engine both know it.
func targetKey(service datapath.Key, b datapath.Backend) (key program.EntryEntryTargetKey) {
	of := program.ToServiceKey(service)
	key.Service.Address.Word, key.Service.Port, key.Service.Protocol = of.Address.Word, of.Port, of.Protocol
	key.Address.Word, key.Port = program.ToAddress(b.Address).Word, engine.Wire(b.Port)
	return key
}

// flowKey is the connection as the engine knows it.
func flowKey(key program.EntryKey) engine.FlowKey {
	f := key.Flow
	return engine.FlowKey{
		Client: toEngine(f.Client), Service: toEngine(f.Service), ClientPort: f.ClientPort, ServicePort: f.ServicePort, Protocol: f.Protocol,
	}
}

func toEngine(a program.Address) engine.TcxAddress { return engine.TcxAddress{Word: a.Word} }
