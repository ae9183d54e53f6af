package configfile

import (
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"revision": 3, "balancer": {"engine": "auto", "services": [{"address": "192.0.2.1", "port": 80}]}}`))
	f.Add([]byte(`{"unknown": [1, {}]}`))
	f.Add([]byte(" \n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		config, err := parse(content)
		if err != nil {
			return
		}
		written, err := protojson.Marshal(config)
		if err != nil {
			t.Fatalf("what was read can't be written: %v", err)
		}
		if again, err := parse(written); err != nil || !proto.Equal(again, config) {
			t.Fatalf("%s parsed as %v, %v", written, again, err)
		}
	})
}
