package backend

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// logged is what a driver logs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// ticketStatus returns the report about a backend.
func ticketStatus(t *testing.T, d *Driver, backend string) *agentv1.BackendServerStatus {
	t.Helper()
	observed, err := d.Observe(t.Context())
	must(t, err)
	for _, one := range observed.Status.GetServers() {
		if one.GetBackendId() == backend {
			return one
		}
	}
	t.Fatalf("%s isn't reported", backend)
	return nil
}

func TestTheRoleKeepsManagedTicketKeys(t *testing.T) {
	h := newHost(t)
	folder := t.TempDir()
	own := filepath.Join(folder, "web-1")
	log := &logged{}
	open := func() *Driver {
		d := h.driver(t)
		d.keeper.log = slog.New(slog.NewTextHandler(log, nil))
		return d
	}
	config := func(revision uint64, epochs ...uint64) Desired {
		spec := withTickets(func(k *agentv1.TicketKeys) {
			k.Revision, k.Software, k.Folder, k.Socket, k.Keys = revision, "go", folder+"/{instance}", "", nil
			for _, epoch := range epochs {
				k.Keys = append(k.Keys, ticketKey("web-1", epoch))
			}
		})
		desired, err := ParseDesired(configOf(spec))
		must(t, err)
		return desired
	}
	apply := func(d *Driver, desired Desired) {
		t.Helper()
		_, err := d.Set(t.Context(), desired)
		must(t, err)
	}
	awaits := func(d *Driver, revision uint64, problem string) {
		t.Helper()
		until(t, d, "revision and problem", func() bool {
			status := ticketStatus(t, d, "bk_1")
			return status.GetTicketRevision() == revision && strings.Contains(status.GetTicketProblem(), problem) && (problem == "") == (status.GetTicketProblem() == "")
		})
	}
	file := filepath.Join(own, "tickets.key")
	begins := func(epoch uint64) bool {
		content, err := os.ReadFile(file)
		return err == nil && bytes.HasPrefix(content, ticketKey("web-1", epoch).Name)
	}

	d := open()
	apply(d, config(5, 1))
	awaits(d, 0, "The folder "+own+" doesn't exist on this node: create it")
	must(t, os.Mkdir(own, 0o700))
	awaits(d, 5, "")
	if !begins(1) {
		t.Error("the first key isn't in the file")
	}
	apply(d, config(6, 1, 2))
	awaits(d, 6, "")
	must(t, os.Remove(file))
	until(t, d, "the removed file is back", func() bool { return begins(1) && strings.Contains(log.String(), "were written again") })
	awaits(d, 6, "")
	before, err := os.Stat(file)
	must(t, err)
	must(t, d.Close())

	d = open() // without a control plane, with the stored config
	apply(d, config(6, 1, 2))
	awaits(d, 6, "")
	if after, err := os.Stat(file); err != nil || !after.ModTime().Equal(before.ModTime()) || !os.SameFile(before, after) {
		t.Errorf("equal keys were written again: %v", err)
	}
	must(t, os.Rename(own, own+".away"))
	apply(d, config(7, 2, 1))
	awaits(d, 6, "doesn't exist")
	must(t, os.Rename(own+".away", own))
	awaits(d, 7, "")
	if !begins(2) {
		t.Error("the next key isn't the first one")
	}
	must(t, os.Rename(own, own+".away"))
	awaits(d, 0, "doesn't exist") // what it acknowledged counts no longer
	must(t, os.Rename(own+".away", own))
	awaits(d, 7, "")
	observed, err := d.Observe(t.Context())
	must(t, err)
	report, err := protojson.Marshal(observed.Status)
	must(t, err)
	if printed := log.String() + string(report); strings.Contains(printed, secretText) {
		t.Errorf("the log or the report has the secret:\n%s", printed)
	}
	off(t, d)
	if !begins(2) {
		t.Error("a server that was removed lost its keys")
	}
}

func TestTwoInstancesCannotShareAFolder(t *testing.T) {
	h := newHost(t)
	folder := t.TempDir()
	spec := func(backend, instance, address string) *agentv1.BackendServer {
		one := withTickets(func(k *agentv1.TicketKeys) {
			k.Software, k.Folder, k.Socket, k.Keys = "node", folder, "", []*agentv1.TicketKey{ticketKey(instance, 1)}
		})
		one.BackendId, one.Instance, one.OwnAddress = backend, instance, address
		return one
	}
	desired, err := ParseDesired(configOf(spec("bk_1", "web-1", "10.9.0.1"), spec("bk_1v6", "web-1", "fd09::1"), spec("bk_2", "web-2", "10.9.0.2")))
	must(t, err)
	d := h.driver(t)
	_, err = d.Set(t.Context(), desired)
	must(t, err)
	until(t, d, "the second instance is refused", func() bool {
		return strings.Contains(ticketStatus(t, d, "bk_2").GetTicketProblem(), "has the ticket keys of the instance web-1, too: give each instance a folder of its own, with {instance} in the path.")
	})
	for _, backend := range []string{"bk_1", "bk_1v6"} {
		if status := ticketStatus(t, d, backend); status.GetTicketRevision() != 5 || status.GetTicketProblem() != "" {
			t.Errorf("%v", status)
		}
	}
	off(t, d)
}

// An agent that was killed after it wrote keys, and before it stored their config, starts with the config before.
func TestAnAgentThatStartsDoesNotReplaceNewerTicketKeys(t *testing.T) {
	h, folder := newHost(t), t.TempDir()
	config := func(revision, epoch uint64) Desired {
		desired, err := ParseDesired(configOf(withTickets(func(k *agentv1.TicketKeys) {
			k.Revision, k.Software, k.Folder, k.Socket, k.Keys = revision, "go", folder+"/{instance}", "", nil
			k.Keys = append(k.Keys, ticketKey("web-1", epoch))
		})))
		must(t, err)
		return desired
	}
	must(t, os.Mkdir(filepath.Join(folder, "web-1"), 0o700))
	file := filepath.Join(folder, "web-1", "tickets.key")
	apply := func(d *Driver, desired Desired, revision uint64) {
		t.Helper()
		_, err := d.Set(t.Context(), desired)
		must(t, err)
		until(t, d, "revision", func() bool { return ticketStatus(t, d, "bk_1").GetTicketRevision() == revision })
	}
	before := h.driver(t)
	apply(before, config(2, 2), 2)
	newer, err := os.ReadFile(file)
	must(t, err)
	must(t, before.Close())

	after := h.driver(t)
	_, err = after.Set(t.Context(), config(1, 1))
	must(t, err)
	for range 20 {
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, newer) {
			t.Fatalf("the keys were replaced by former ones, or %v", err)
		}
		_, err = after.Observe(t.Context())
		must(t, err)
		time.Sleep(20 * time.Millisecond)
	}
	apply(after, config(2, 2), 2)
	apply(after, config(3, 1), 3) // as when all keys are replaced by others
}
