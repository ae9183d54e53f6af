package lab_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestCheckLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, user := range map[string]int{"root": 0, "nobody": 65534} {
		t.Run(name, func(t *testing.T) {
			l := newTestLab(t, "ok", "")
			l.credential = &syscall.Credential{Uid: uint32(user), Gid: uint32(user)}
			if err := os.Chown(filepath.Dir(l.file), user, user); err != nil {
				t.Fatal(err)
			}
			l.must("check")
			l.mustBeRemoved()
		})
	}
}

// The last line names what is missing and what to do; the exit code means that a retry won't help.
func TestCheckReportsWhatIsMissing(t *testing.T) {
	t.Parallel()
	everybody := []syscall.SysProcIDMap{{ContainerID: 0, HostID: 0, Size: 65536}}
	for _, without := range []struct {
		name       string
		attributes syscall.SysProcAttr
		command    []string
		want       string
	}{{
		"the right to create namespaces", syscall.SysProcAttr{},
		[]string{"setpriv", "--bounding-set=-sys_admin"},
		"run as root with the capability CAP_SYS_ADMIN, or as an ordinary user",
	}, {
		"user namespaces",
		// A user namespace that allows no nested ones.
		syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, GidMappingsEnableSetgroups: true, UidMappings: everybody, GidMappings: everybody},
		[]string{"sh", "-c", `echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --reuid 1000 --regid 1000 --clear-groups "$@"`, "sh"},
		"a lab without root needs user namespaces",
	}} {
		t.Run(without.name, func(t *testing.T) {
			l := newTestLab(t, "no", "")
			check := exec.Command(without.command[0], append(without.command[1:], l.command("check").Args...)...)
			check.SysProcAttr = &without.attributes
			out, err := check.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 2 {
				t.Fatalf("%v: %s", err, out)
			}
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if last := lines[len(lines)-1]; !strings.Contains(last, without.want) {
				t.Errorf("the last line is %q", last)
			}
			l.mustBeRemoved()
		})
	}
}
