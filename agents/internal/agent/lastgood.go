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
	lastGoodHeader   = "fairlead config 2\n"
	plainHeader      = "fairlead config 1\n" // of earlier versions, which stored it unencrypted
	lastGoodMostSize = 32 << 20
)

// errCorrupt means that a file is not what this agent wrote.
var errCorrupt = errors.New("the last good config on disk is damaged")

// lastGood stores the last applied config, so that a node that starts without the control plane
// still serves. The config is stored as protobuf, which keeps fields that this version doesn't
// know. It has keys of services, so it is encrypted.
type lastGood struct {
	folder string
	key    sealKey
}

func newLastGood(folder, keyFile string) lastGood {
	return lastGood{folder, newSealKey(folder, keyFile)}
}

// load returns nil without an error if there is no config yet. A damaged file is set aside for
// analysis, not deleted.
func (s lastGood) load() (*agentv1.NodeConfig, error) {
	data, err := readAtMost(s.path(), lastGoodMostSize)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the last good config: %w", err)
	}
	config, err := s.parse(data)
	if errors.Is(err, errCorrupt) {
		aside := s.path() + ".damaged"
		if renameErr := os.Rename(s.path(), aside); renameErr != nil {
			return nil, fmt.Errorf("%w and can't be set aside: %w", err, renameErr)
		}
		return nil, fmt.Errorf("%w; it was set aside as %s", err, aside)
	}
	if err == nil && bytes.HasPrefix(data, []byte(plainHeader)) {
		_ = s.save(config) // a disk that is full must not stop traffic, and the next config is encrypted too
	}
	return config, err
}

func (s lastGood) path() string { return filepath.Join(s.folder, lastGoodFile) }

func (s lastGood) save(config *agentv1.NodeConfig) error {
	data, err := s.format(config)
	if err == nil {
		err = atomicfile.Write(s.path(), data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("save the last good config: %w", err)
	}
	return nil
}

func (s lastGood) format(config *agentv1.NodeConfig) ([]byte, error) {
	message, err := proto.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("encode the config: %w", err)
	}
	sealing, err := s.key.toSeal()
	if err != nil {
		return nil, err
	}
	return sealing.Seal([]byte(lastGoodHeader), nil, message, []byte(lastGoodHeader)), nil
}

func (s lastGood) parse(data []byte) (*agentv1.NodeConfig, error) {
	if plain, found := bytes.CutPrefix(data, []byte(plainHeader)); found {
		return parsePlain(plain)
	}
	sealed, found := bytes.CutPrefix(data, []byte(lastGoodHeader))
	if !found {
		return nil, errCorrupt
	}
	opening, err := s.key.toOpen()
	if err != nil {
		return nil, err
	}
	message, err := opening.Open(nil, nil, sealed, []byte(lastGoodHeader))
	if err != nil {
		return nil, fmt.Errorf("%w, or was encrypted with another key than that of %s", errCorrupt, s.key.path)
	}
	return decode(message)
}

// parsePlain parses what earlier versions wrote: a checksum and the config.
func parsePlain(data []byte) (*agentv1.NodeConfig, error) {
	if len(data) < sha256.Size {
		return nil, errCorrupt
	}
	sum, message := data[:sha256.Size], data[sha256.Size:]
	if actual := sha256.Sum256(message); !bytes.Equal(sum, actual[:]) {
		return nil, errCorrupt
	}
	return decode(message)
}

func decode(message []byte) (*agentv1.NodeConfig, error) {
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
