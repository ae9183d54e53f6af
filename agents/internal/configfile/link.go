package configfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const (
	fileMostBytes = 64 << 20

	// lookEvery makes a change that nobody told us of harmless.
	lookEvery = time.Second
)

// Link reads a NodeConfig in protojson, whole, at first and whenever the file is
// replaced. A file that can't be read changes nothing and is said in each report.
type Link struct {
	path    string
	log     *slog.Logger
	configs chan *agentv1.NodeConfig
	warning atomic.Pointer[string]

	content []byte // read last
	verdict error  // on that
	given   []byte // what the newest config was read from
	newest  uint64 // its revision
}

var _ agent.Link = (*Link)(nil)

// New prepares a link; nothing is read before [Link.Run].
func New(path string, log *slog.Logger) *Link {
	return &Link{path: path, log: log, configs: make(chan *agentv1.NodeConfig, 1)}
}

// Configs yields whole configs. A slow reader finds the newest only.
func (l *Link) Configs() <-chan *agentv1.NodeConfig { return l.configs }

// Report only adds what is wrong with the file: whoever wants to see reports
// looks at them on the agent's page.
func (l *Link) Report(report *agentv1.ReportRequest) {
	if warning := l.warning.Load(); warning != nil {
		report.Warnings = append(report.Warnings, *warning)
	}
}

// Waiting is none: nobody answers reports.
func (l *Link) Waiting() int { return 0 }

// Run follows the file until ctx ends.
func (l *Link) Run(ctx context.Context, from uint64) error {
	l.newest = from
	changes, stop, err := watch(l.path)
	if err != nil { // there is still the ticker
		l.log.Warn("changes of the config file are noticed late", "file", l.path, "err", err)
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
		l.say(err)
		return
	}
	if l.content == nil || !bytes.Equal(content, l.content) {
		l.content, l.verdict = content, l.take(content)
	}
	l.say(l.verdict)
}

func (l *Link) take(content []byte) error {
	if bytes.Equal(content, l.given) { // put back after a slip
		return nil
	}
	config, err := parse(content)
	if err != nil {
		return err
	}
	return l.offer(config, content)
}

// offer gives a config without a revision the next one. Whoever numbers configs
// has to number them upward, as a control plane does.
func (l *Link) offer(config *agentv1.NodeConfig, content []byte) error {
	if config.GetRevision() == 0 {
		config.Revision = l.newest + 1
	}
	if config.GetRevision() < l.newest || config.GetRevision() == l.newest && l.given != nil {
		return fmt.Errorf("its revision %d is not newer than %d, which runs; give a greater one, or none", config.GetRevision(), l.newest)
	}
	l.given = content
	l.newest = config.GetRevision()
	select {
	case <-l.configs:
	default:
	}
	l.configs <- config // has room: this goroutine alone fills it
	return nil
}

// say keeps what is wrong for reports and logs it once.
func (l *Link) say(err error) {
	if err == nil {
		l.warning.Store(nil)
		return
	}
	warning := fmt.Sprintf("The config file %s is not used (%v); what ran before stays.", l.path, err)
	if former := l.warning.Swap(&warning); former == nil || *former != warning {
		l.log.Error("the config file is not used; what ran before stays", "file", l.path, "err", err)
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

// parse ignores fields that it doesn't know, as it would if they came from a
// newer control plane.
func parse(content []byte) (*agentv1.NodeConfig, error) {
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, errors.New("it is empty; write it beside and rename it, so that nobody reads half of it")
	}
	config := new(agentv1.NodeConfig)
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(content, config); err != nil {
		return nil, fmt.Errorf("it is no NodeConfig in JSON: %w", err)
	}
	return config, nil
}
