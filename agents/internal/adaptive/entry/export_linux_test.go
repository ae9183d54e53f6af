package entry

import (
	"testing"

	"fairlead.dev/agents/internal/adaptive/program"
	engine "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Forget deletes all connections of the engine.
func (e *Entry) Forget(t *testing.T) {
	t.Helper()
	table := e.joint.Maps[engine.TcxMapConnections]
	var keys []engine.FlowKey
	if err := engine.InBatches(table, func(key engine.FlowKey, _ engine.FlowEntry) { keys = append(keys, key) }); err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if err := table.Delete(key); err != nil {
			t.Fatal(err)
		}
	}
}

// Verified returns how many instructions the verifier looked at, by program.
func (e *Entry) Verified(t *testing.T) map[string]uint32 {
	t.Helper()
	all := map[string]uint32{}
	for _, name := range []string{program.EntryProgChooseByCost, program.EntryProgFollowConnection} {
		info, err := e.collection.Programs[name].Info()
		if err != nil {
			t.Fatal(err)
		}
		all[name], _ = info.VerifiedInstructions()
	}
	return all
}
