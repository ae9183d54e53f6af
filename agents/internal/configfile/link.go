package configfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const (
	fileMostBytes = 64 << 20

	// lookEvery limits the delay of a change without a notification.
	lookEvery = time.Second
)

// Link reads a complete NodeConfig in protojson, at the start and whenever the file is replaced. An
// invalid file changes nothing and is reported as a warning.
type Link struct {
	path    string
	log     *slog.Logger
	configs chan *agentv1.NodeConfig
	warning atomic.Pointer[string]

	content []byte // last read
	verdict error  // its error
	given   []byte // the content of the newest config
	newest  uint64 // its revision
}

var _ agent.Link = (*Link)(nil)

// New prepares a link. It reads the file only in [Link.Run].
func New(path string, log *slog.Logger) *Link {
	return &Link{path: path, log: log, configs: make(chan *agentv1.NodeConfig, 1)}
}

// Configs yields complete configs. A slow reader receives only the newest.
func (l *Link) Configs() <-chan *agentv1.NodeConfig { return l.configs }

// Report only adds a warning about the file: reports are shown on the agent's HTTP page.
func (l *Link) Report(report *agentv1.ReportRequest) {
	if warning := l.warning.Load(); warning != nil {
		report.Warnings = append(report.Warnings, *warning)
	}
}

// Waiting is always 0: reports have no acknowledgement.
func (l *Link) Waiting() int { return 0 }

// Run follows the file until ctx ends.
func (l *Link) Run(ctx context.Context, from uint64) error {
	l.newest = from
	changes, stop, err := watch(l.path)
	if err != nil { // the ticker still works
		l.log.Warn("changes of the config file are detected late", "file", l.path, "err", err)
	}
	defer stop()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		l.look()
		select {
		case <-ctx.Done():
			return nil
		case <-changes:
		case <-tick.C:
		}
	}
}

func (l *Link) look() {
	content, err := read(l.path)
	if err != nil {
		l.setProblem(err)
		return
	}
	if l.content == nil || !bytes.Equal(content, l.content) {
		l.content, l.verdict = content, l.take(content)
	}
	l.setProblem(l.verdict)
}

func (l *Link) take(content []byte) error {
	if bytes.Equal(content, l.given) { // the previous content was restored
		return nil
	}
	config, err := parse(content)
	if err != nil {
		return err
	}
	return l.offer(config, content)
}

// offer numbers a config without a revision. Explicit revisions must increase, as with a control
// plane.
func (l *Link) offer(config *agentv1.NodeConfig, content []byte) error {
	if config.GetRevision() == 0 {
		config.Revision = l.newest + 1
	}
	if config.GetRevision() < l.newest || config.GetRevision() == l.newest && l.given != nil {
		return fmt.Errorf("its revision %d is not newer than the active %d; use a greater one, or none", config.GetRevision(), l.newest)
	}
	l.given = content
	l.newest = config.GetRevision()
	select {
	case <-l.configs:
	default:
	}
	l.configs <- config // has room: only this goroutine fills it
	return nil
}

// setProblem stores the problem for reports and logs it once.
func (l *Link) setProblem(err error) {
	if err == nil {
		l.warning.Store(nil)
		return
	}
	warning := fmt.Sprintf("The config file %s is not used (%v); the previous config stays active.", l.path, err)
	if former := l.warning.Swap(&warning); former == nil || *former != warning {
		l.log.Error("the config file is not used; the previous config stays active", "file", l.path, "err", err)
	}
}

func read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, fileMostBytes+1))
	if err == nil && len(content) > fileMostBytes {
		err = fmt.Errorf("it is larger than %d bytes", fileMostBytes)
	}
	return content, err
}

// parse ignores unknown fields, as from a newer control plane.
func parse(content []byte) (*agentv1.NodeConfig, error) {
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, errors.New("it is empty; write a temporary file and rename it, so that it is never read in part")
	}
	config := new(agentv1.NodeConfig)
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(content, config); err != nil {
		return nil, fmt.Errorf("it is not a NodeConfig in JSON: %s", withoutSecrets(err))
	}
	return config, nil
}

var (
	wrongBytes = regexp.MustCompile(`(?s)(for bytes field \w+): .*`)
	wrongText  = regexp.MustCompile(`(?s)(syntax error.*: (?:invalid|unexpected)[a-z ]*).*`)
)

// withoutSecrets returns an error's text without a value that may be a key: those are bytes, and a
// value with wrong quotes can be any.
func withoutSecrets(err error) string {
	text := wrongBytes.ReplaceAllString(err.Error(), "$1; give base64")
	return wrongText.ReplaceAllString(text, "$1")
}
