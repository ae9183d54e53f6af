// Package privileged handles tests that need the kernel. They run as root. Without root they fail in CI, and
// are skipped elsewhere with a reason. The product doesn't use it.
package privileged

import (
	"os"
	"testing"
)

// Need skips or fails a test without root: it creates network namespaces, or loads programs into the kernel.
func Need(t testing.TB) {
	t.Helper()
	if os.Geteuid() == 0 {
		return
	}
	const reason = "this test makes network namespaces of its own: run it as root"
	if os.Getenv("CI") != "" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}
