package keys

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fairlead.dev/agents/internal/atomicfile"
)

// epochFile has the epoch that a server encrypts with. No server reads it.
const epochFile = ".epoch"

// HasNewer reports whether a server was given keys of a later epoch than these. An agent that was killed before it
// stored its config starts with the one before, and would replace keys that clients have tickets of.
func (p Place) HasNewer(server Server) bool {
	content, err := os.ReadFile(filepath.Join(p.Folder, epochFile))
	if err != nil {
		return false
	}
	epoch, err := strconv.ParseUint(strings.TrimSpace(string(content)), 10, 64)
	return err == nil && epoch > server.Own.Epoch
}

// Note stores the epoch. It comes before the keys: an agent that is killed between leaves keys as they were. A folder that can't be
// written is found when the keys are.
func (p Place) Note(server Server) {
	content := strconv.FormatUint(server.Own.Epoch, 10) + "\n"
	path := filepath.Join(p.Folder, epochFile)
	if had, err := os.ReadFile(path); err == nil && string(had) == content {
		return
	}
	_ = atomicfile.Write(path, []byte(content), filePermissions)
}
