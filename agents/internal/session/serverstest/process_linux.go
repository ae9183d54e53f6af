package serverstest

import (
	"os/exec"
	"syscall"
)

// endWithProcess ends a program when the tests' process ends without its cleanups, for example after a timeout. With
// SIGTERM nginx ends its workers too.
func endWithProcess(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
