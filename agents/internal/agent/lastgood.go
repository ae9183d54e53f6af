package agent

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/proto"

	"fairlead.dev/agents/internal/atomicfile"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const (
	lastGoodFile     = "config.last-good"
	lastGoodHeader   = "fairlead config 1\n"
	lastGoodMostSize = 32 << 20
)

// errCorrupt means that a file is not what this agent wrote.
var errCorrupt = errors.New("the last good config on disk is damaged")

// lastGood stores the last applied config, so that a node that starts without the control plane
// still serves. The config is stored as protobuf, which keeps fields that this version doesn't
// know.
type lastGood struct {
	folder string
}

// load returns nil without an error if there is no config yet. A damaged file is set aside for
// analysis, not deleted.
func (s lastGood) load() (*agentv1.NodeConfig, error) {
	path := filepath.Join(s.folder, lastGoodFile)
	data, err := readAtMost(path, lastGoodMostSize)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the last good config: %w", err)
	}
	config, err := parseLastGood(data)
	if err != nil {
		aside := path + ".damaged"
		if renameErr := os.Rename(path, aside); renameErr != nil {
			return nil, fmt.Errorf("%w and can't be set aside: %w", err, renameErr)
		}
		return nil, fmt.Errorf("%w; it was set aside as %s", err, aside)
	}
	return config, nil
}

func (s lastGood) save(config *agentv1.NodeConfig) error {
	data, err := formatLastGood(config)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(s.folder, lastGoodFile), data, 0o600); err != nil {
		return fmt.Errorf("save the last good config: %w", err)
	}
	return nil
}

// formatLastGood adds a header and a checksum: protobuf alone accepts many truncated files.
func formatLastGood(config *agentv1.NodeConfig) ([]byte, error) {
	message, err := proto.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("encode the config: %w", err)
	}
	sum := sha256.Sum256(message)
	return bytes.Join([][]byte{[]byte(lastGoodHeader), sum[:], message}, nil), nil
}

func parseLastGood(data []byte) (*agentv1.NodeConfig, error) {
	rest, found := bytes.CutPrefix(data, []byte(lastGoodHeader))
	if !found || len(rest) < sha256.Size {
		return nil, errCorrupt
	}
	sum, message := rest[:sha256.Size], rest[sha256.Size:]
	if actual := sha256.Sum256(message); !bytes.Equal(sum, actual[:]) {
		return nil, errCorrupt
	}
	var config agentv1.NodeConfig
	if err := proto.Unmarshal(message, &config); err != nil {
		return nil, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	return &config, nil
}

func readAtMost(path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}
