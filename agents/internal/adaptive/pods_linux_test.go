package adaptive

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/cpulimit"
	"fairlead.dev/agents/internal/adaptive/pressure"
	"fairlead.dev/agents/internal/events"
)

// An agent that systemd starts may run before the kubelet, which creates the cgroup of pods.
func TestTheCPULimitIsThatOfPodsAsSoonAsAKubeletRunsThem(t *testing.T) {
	root, online := t.TempDir(), filepath.Join(t.TempDir(), "online")
	write := func(path, text string) {
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write(online, "0-15\n")
	d := &Driver{news: events.Events{Log: slog.New(slog.DiscardHandler)}, options: Options{
		CPU:      cpulimit.Cgroup{CPU: root, CPUSet: root, Root: root, Online: online},
		Pressure: pressure.Files{Cgroup: root, Host: root}, Pods: func() string { return cpulimit.PodsIn(root) },
	}}
	d.guard.at = time.Now()
	must(t, d.measure())
	if d.cores != 16 || d.options.Pressure.Cgroup != root || d.guard.at.IsZero() {
		t.Fatalf("before there are pods: %g cores, pressure of %s", d.cores, d.options.Pressure.Cgroup)
	}

	pods := filepath.Join(root, "kubepods.slice")
	write(filepath.Join(pods, "cpu.max"), "300000 100000\n")
	write(filepath.Join(pods, "cpuset.cpus.effective"), "0-7\n")
	must(t, d.measure())
	if d.cores != 3 || d.options.Pressure.Cgroup != pods || !d.guard.at.IsZero() {
		t.Errorf("with pods: %g cores, pressure of %s", d.cores, d.options.Pressure.Cgroup)
	}

	must(t, os.RemoveAll(filepath.Join(root, "kubepods.slice", "cpu.max")))
	write(filepath.Join(root, "kubepods", "cpu.max"), "100000 100000\n")
	must(t, d.measure())
	if d.cores != 8 {
		t.Errorf("it looks for pods again although it has found them: %g cores", d.cores)
	}
}
