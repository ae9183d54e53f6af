package keys

import (
	"bytes"
	"testing"
)

// The test of packages/services/src/cluster/ticket-secret.ts has the same bytes.
func TestTheNameOfAKeyIsThatOfTheControlPlane(t *testing.T) {
	t.Parallel()
	epoch := Epoch{Number: 1, secret: hide(bytes.Repeat([]byte{1}, secretBytes))}
	if got := epoch.Name("web-1").String(); got != "67965d4946e65bc20d2663745851e211" {
		t.Errorf("name %s", got)
	}
	if epoch.Name("web-1") == epoch.Name("web-2") || epoch.Name("web-1") == NewEpoch(1).Name("web-1") {
		t.Error("names aren't unique")
	}
}
