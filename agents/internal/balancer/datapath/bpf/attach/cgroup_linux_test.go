package attach

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"

	"fairlead.dev/agents/internal/mounttest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// connecting returns a program that allows or refuses to connect.
func connecting(t *testing.T, allows int64) *ebpf.Program {
	t.Helper()
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Type: ebpf.CGroupSockAddr, AttachType: ebpf.AttachCGroupInet4Connect, License: "GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, int32(allows)), asm.Return()},
	})
	must(t, err)
	t.Cleanup(func() { _ = program.Close() })
	return program
}

func idOf(t *testing.T, program *ebpf.Program) ebpf.ProgramID {
	t.Helper()
	info, err := program.Info()
	must(t, err)
	id, _ := info.ID()
	return id
}

func open(t *testing.T, cgroup, folder string) Attachment {
	t.Helper()
	attachment, err := Cgroup(cgroup, ebpf.AttachCGroupInet4Connect, folder)
	must(t, err)
	return attachment
}

func put(t *testing.T, attachment Attachment, program *ebpf.Program, changes int) {
	t.Helper()
	if made, err := attachment.Put(program); err != nil || made != changes {
		t.Fatalf("%d changes (%v), want %d", made, err, changes)
	}
}

func TestAProgramStaysInACgroupUntilItIsRemoved(t *testing.T) {
	cgroup, folder := mounttest.Cgroup(t), mounttest.BPF(t)
	before, after := connecting(t, 1), connecting(t, 1)

	first := open(t, cgroup, folder)
	must(t, first.Try(before))
	if id, err := first.Attached(); err != nil || id != 0 {
		t.Errorf("preflight left program %d attached (%v)", id, err)
	}
	put(t, first, before, 1)
	put(t, first, before, 0)
	must(t, os.Remove(filepath.Join(folder, "link-cgroupinet4connect")))
	put(t, first, before, 1)
	must(t, first.Close())

	second := open(t, cgroup, folder)
	if id, err := second.Attached(); err != nil || id != idOf(t, before) {
		t.Errorf("the former process left program %d (%v), want %d", id, err, idOf(t, before))
	}
	must(t, second.Try(after))
	put(t, second, after, 0)
	if id, err := second.Attached(); err != nil || id != idOf(t, after) {
		t.Errorf("program %d is attached (%v), want %d", id, err, idOf(t, after))
	}
	if warnings := second.Warnings(true); len(warnings) != 0 {
		t.Errorf("warnings: %q", warnings)
	}
	must(t, second.Remove())
	if id, err := second.Attached(); err != nil || id != 0 {
		t.Errorf("program %d is attached after Remove (%v)", id, err)
	}
}

func TestAnotherCgroupIsAttachedToAgain(t *testing.T) {
	folder, program := mounttest.BPF(t), connecting(t, 1)
	first := open(t, mounttest.Cgroup(t), folder)
	put(t, first, program, 1)
	must(t, first.Close())
	second := open(t, mounttest.Cgroup(t), folder)
	put(t, second, program, 1)
	must(t, second.Remove())
}

func TestWhatIsNoCgroupIsOneClearError(t *testing.T) {
	for path, want := range map[string]string{
		t.TempDir():       "is not in a cgroup file system of version 2: mount one",
		"/does/not/exist": "name one that exists",
	} {
		if _, err := Cgroup(path, ebpf.AttachCGroupInet4Connect, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
