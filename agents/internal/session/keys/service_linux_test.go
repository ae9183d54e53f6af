package keys

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/privileged"
)

const (
	deployed     = "../../../../deploy/agent/"
	unitFile     = deployed + "fairlead-agent@.service"
	backendFile  = deployed + "fairlead-agent@backend.service.d/ticket-keys.conf"
	confined     = "FAIRLEAD_TEST_CONFINED"
	serversOwner = 12345
)

// settings returns the values of a setting in unit files, of which systemd uses all.
func settings(t *testing.T, name string, files ...string) (values []string) {
	t.Helper()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if value, has := strings.CutPrefix(strings.TrimSpace(line), name+"="); has {
				values = append(values, strings.Fields(value)...)
			}
		}
	}
	return values
}

// inService runs a test again, as in the service of these files: as root with its capabilities only, and with /run
// read-only but for its own folders. It returns what failed.
func inService(t *testing.T, test string, files ...string) string {
	t.Helper()
	var script strings.Builder
	script.WriteString("set -e\nmount -t tmpfs none /run\nmkdir -p /run/fairlead/tickets\n")
	fmt.Fprintf(&script, "for server in web-1 web-2; do install -d -m 0700 -o %d -g %[1]d /run/fairlead/tickets/$server; done\n", serversOwner)
	for _, folder := range settings(t, "RuntimeDirectory", files...) {
		fmt.Fprintf(&script, "mount --bind /run/%s /run/%[1]s\n", folder)
	}
	script.WriteString("mount -o remount,bind,ro /run\n")
	capabilities := strings.ReplaceAll(strings.ToLower(strings.Join(settings(t, "CapabilityBoundingSet", files...), ",+")), "cap_", "")
	fmt.Fprintf(&script, "exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all,+%s %q -test.run '^%s$' -test.v\n", capabilities, os.Args[0], test)
	command := exec.CommandContext(t.Context(), "unshare", "--mount", "--propagation", "private", "sh", "-c", script.String())
	command.Env = append(os.Environ(), confined+"=1")
	output, err := command.CombinedOutput()
	if err == nil {
		return ""
	}
	return err.Error() + "\n" + string(output)
}

func TestTheServiceOfTheRoleBackendWritesKeysIntoFoldersOfServers(t *testing.T) {
	if os.Getenv(confined) == "" {
		privileged.Need(t)
		if failed := inService(t, t.Name(), unitFile, backendFile); failed != "" {
			t.Error(failed)
		}
		if failed := inService(t, t.Name(), unitFile); !strings.Contains(failed, "give it the capabilities CHOWN and DAC_OVERRIDE") {
			t.Errorf("other roles can write keys: %s", failed)
		}
		withoutFolder := filepath.Join(t.TempDir(), "capabilities.conf")
		capabilities := "CapabilityBoundingSet=" + strings.Join(settings(t, "CapabilityBoundingSet", backendFile), " ")
		if err := os.WriteFile(withoutFolder, []byte(capabilities), 0o600); err != nil {
			t.Fatal(err)
		}
		if failed := inService(t, t.Name(), unitFile, withoutFolder); !strings.Contains(failed, "add it to ReadWritePaths= of its systemd service") {
			t.Errorf("other folders can be written: %s", failed)
		}
		return
	}
	for _, software := range All {
		p := Place{Software: software, Folder: "/run/fairlead/tickets/web-1"}
		for _, epochs := range [][]Epoch{{epoch1}, {epoch2}} {
			apply(t, p, For("a", servers, epochs...), true)
			apply(t, p, For("a", servers, epochs...), false)
		}
	}
	found, err := filepath.Glob("/run/fairlead/tickets/web-1/*")
	if err != nil || len(found) < len(All) {
		t.Fatalf("%v, %v", found, err)
	}
	for _, path := range found {
		var file unix.Stat_t
		if err := unix.Stat(path, &file); err != nil || file.Uid != serversOwner || file.Gid != serversOwner || file.Mode&0o777 != filePermissions {
			t.Errorf("%s: owner %d, group %d, mode %o, %v", path, file.Uid, file.Gid, file.Mode, err)
		}
	}
	socket := "/run/fairlead/tickets/web-2/admin.sock"
	listener, err := net.Listen("unix", socket)
	if err == nil {
		defer listener.Close()
		err = os.Chown(socket, serversOwner, serversOwner)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (HAProxySocket{Path: socket}).run(t.Context(), "show tls-keys", ""); errors.Is(err, errSocket) {
		t.Error(err)
	}
	if err := os.WriteFile("/run/fairlead/stray", nil, 0o600); err == nil {
		t.Error("the service can write other folders")
	}
}
