package main

import (
	"errors"
	"strings"
	"testing"
)

func TestFiguresAreReceivedAtAnAddressThatOtherNodesReach(t *testing.T) {
	for _, test := range []struct{ setting, controlPlane, want, problem string }{
		{"10.0.0.1:7448", "", "10.0.0.1:7448", ""},
		{"[2001:db8::1]:7448", "https://127.0.0.1:7443", "[2001:db8::1]:7448", ""},
		{"", "https://127.0.0.1:7443", "", "set --mesh-listen"},
		{"", "", "", "set --mesh-listen, such as 10.0.0.1:7448"},
		{"0.0.0.0:7448", "", "", "isn't an address at which other nodes reach this one"},
		{"10.0.0.1", "", "", "isn't an address"},
	} {
		listen, err := meshListen(&settings{meshListen: test.setting, controlPlane: test.controlPlane})
		if err != nil && !errors.As(err, new(refusal)) {
			t.Errorf("%q: %v is no refusal", test.setting, err)
		}
		got := ""
		if err == nil {
			at, failed := listen(t.Context())
			if err = failed; err == nil {
				got = at.String()
			}
		}
		if got != test.want || (err == nil) != (test.problem == "") || err != nil && !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%q with %q: %s (%v)", test.setting, test.controlPlane, got, err)
		}
	}
}
