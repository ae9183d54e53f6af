package agent

import "google.golang.org/protobuf/proto"

// StoredConfig returns the last good config of a folder, encoded.
func StoredConfig(folder string) ([]byte, error) {
	config, err := newLastGood(folder, "").load()
	if err != nil {
		return nil, err
	}
	return proto.Marshal(config)
}
