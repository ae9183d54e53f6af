// Package privileged decides what happens to tests that need the kernel: as root
// they run, in CI they fail without it, and for anybody else they are skipped
// with a word. It never decides anything for the product.
package privileged

import (
	"os"
	"testing"
)

// Need lets a test go on as root only. It makes network namespaces, or loads
// programs into the kernel.
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
