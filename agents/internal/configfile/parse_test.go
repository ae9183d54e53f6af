package configfile

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

func TestAKeyIsNotInAnError(t *testing.T) {
	const before, after = `{"balancer": {"services": [{"session": {"keys": {"current": `, `}}}]}}`
	for _, value := range []string{
		`"c2VjcmV0*c2VjcmV0"`, `c2VjcmV0c2VjcmV0`, `"c2VjcmV0c2VjcmV0`, `"c2VjcmV0c2VjcmV0"c2VjcmV0`, `'c2VjcmV0c2VjcmV0'`, `{"c2VjcmV0": 1`,
		`"c2VjcmV0\q"`, `["c2VjcmV0c2VjcmV0"]`, "\"c2VjcmV0\nc2VjcmV0\"",
	} {
		_, err := parse([]byte(before + value + after))
		if err == nil || strings.Contains(err.Error(), "c2VjcmV0") {
			t.Errorf("%s: %v", value, err)
		}
	}
	_, err := parse([]byte(before + `"c2VjcmV0*"` + after))
	if err == nil || !strings.Contains(err.Error(), "bytes field current; give base64") {
		t.Errorf("the field isn't named: %v", err)
	}
}

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
