package agent

import (
	"testing"

	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestALastGoodConfigIsReadAsWritten(t *testing.T) {
	want := &agentv1.NodeConfig{Revision: 3, Digest: "d", Node: &agentv1.NodeRole{ExcludedInterfaces: []string{"veth*"}}}
	store := lastGood{folder: t.TempDir()}
	if err := store.save(want); err != nil {
		t.Fatal(err)
	}
	got, err := store.load()
	if err != nil || !proto.Equal(got, want) {
		t.Fatalf("got %v, %v", got, err)
	}
}

func TestEveryTruncatedLastGoodConfigIsNoticed(t *testing.T) {
	whole, err := formatLastGood(&agentv1.NodeConfig{Revision: 3, Digest: "d"})
	if err != nil {
		t.Fatal(err)
	}
	for length := range len(whole) {
		if _, err := parseLastGood(whole[:length]); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", length, len(whole))
		}
	}
}

func FuzzParseLastGood(f *testing.F) {
	whole, err := formatLastGood(&agentv1.NodeConfig{Revision: 3, Digest: "d"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(lastGoodHeader))
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := parseLastGood(data)
		if (config == nil) == (err == nil) {
			t.Fatalf("config %v, err %v", config, err)
		}
		if err != nil {
			return
		}
		again, err := formatLastGood(config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseLastGood(again); err != nil {
			t.Fatalf("what was read can't be written: %v", err)
		}
	})
}
