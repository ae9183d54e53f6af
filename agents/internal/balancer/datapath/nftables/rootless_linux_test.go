package nftables_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// nobody is the user ID that runs the contract without privileges.
const nobody = 65534

// TestContractWithoutPrivileges runs the contract as user nobody, in a user namespace
// with its own network and mounts only.
func TestContractWithoutPrivileges(t *testing.T) {
	binary, err := os.Open("/proc/self/exe") // by descriptor: user nobody may not enter the folder
	if err != nil {
		t.Fatal(err)
	}
	defer binary.Close()
	command := exec.CommandContext(t.Context(), "/bin/sh", "-c", "mount -t tmpfs tmpfs /run && exec /proc/self/fd/3 -test.run='^TestContract$'")
	command.ExtraFiles = []*os.File{binary}
	command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: nobody, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: nobody, Size: 1}},
		Credential:  &syscall.Credential{Uid: 0, Gid: 0, NoSetGroups: true},
	}
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("the contract without privileges: %v\n%s", err, output)
	}
}
