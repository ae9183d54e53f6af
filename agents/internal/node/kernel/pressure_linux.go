package kernel

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const pressureFile = "/proc/pressure/cpu"

// LacksPressure reports whether this error of a file in /proc/pressure means that there is nothing
// to read, in contrast to a failure.
func LacksPressure(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EOPNOTSUPP) || denied(err)
}

func probePressure(file string) Feature {
	const name = "pressure"
	_, err := os.ReadFile(file)
	switch {
	case err == nil:
		return available(name)
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.EOPNOTSUPP):
		return missing(name, "The kernel doesn't measure pressure. Start it with psi=1, if it is built with CONFIG_PSI.")
	case denied(err):
		return missing(name, "The container may not read /proc/pressure.")
	}
	return missing(name, fmt.Sprintf("The pressure can't be read: %v.", err))
}
