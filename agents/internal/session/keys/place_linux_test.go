package keys

import (
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/privileged"
)

func TestAFolderThatIsNotWritableHasTheCure(t *testing.T) {
	privileged.Need(t)
	p := Place{Software: ForEnvoy, Folder: t.TempDir()}
	if err := unix.Mount("none", p.Folder, "tmpfs", unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	_, err := p.Apply(t.Context(), For("a", servers, epoch1))
	if unmountErr := unix.Unmount(p.Folder, 0); unmountErr != nil {
		t.Error(unmountErr)
	}
	if err == nil || !strings.Contains(err.Error(), "is read-only for the agent: add it to ReadWritePaths=") {
		t.Error(err)
	}

	ended := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with its user
		if err := unix.Setfsuid(12345); err != nil {
			ended <- err
			return
		}
		_, err := p.Apply(t.Context(), For("a", servers, epoch1))
		ended <- err
	}()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "the agent may not write files of the owner of "+p.Folder+": give it the capabilities CHOWN and DAC_OVERRIDE, or run it as that owner") {
		t.Error(err)
	}
}
