//go:build !otherkernel

package vmtest

// buildTags are those of the test binary, which the VM's has too.
const buildTags = ""
