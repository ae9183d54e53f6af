package agent

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestASlowDiskDoesNotBlockAndTheNewestConfigIsSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saved []uint64
		saver := newSaver(func(config *agentv1.NodeConfig) error {
			time.Sleep(time.Minute)
			saved = append(saved, config.GetRevision())
			return nil
		}, slog.New(slog.DiscardHandler))
		began := time.Now()
		for revision := range uint64(100) {
			saver.save(&agentv1.NodeConfig{Revision: revision})
			synctest.Wait() // the first is being written
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("save took %v", took)
		}
		if saver.close(); !slices.Equal(saved, []uint64{0, 99}) {
			t.Errorf("saved %v", saved)
		}
	})
}

func TestAFailedSaveIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("no space left on device")
		tries := 0
		saver := newSaver(func(*agentv1.NodeConfig) error { tries++; return full }, slog.New(slog.DiscardHandler))
		defer saver.close()
		saver.save(&agentv1.NodeConfig{Revision: 7})
		synctest.Wait()
		if warning := saver.currentWarning(); !strings.Contains(warning, "Revision 7") || tries != 1 {
			t.Errorf("got %q after %d tries", warning, tries)
		}
		full = nil
		for range 2 {
			saver.again()
			synctest.Wait()
		}
		if warning := saver.currentWarning(); warning != "" || tries != 2 {
			t.Errorf("got %q after %d tries", warning, tries)
		}
	})
}
