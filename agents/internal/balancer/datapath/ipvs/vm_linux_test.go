package ipvs_test

import (
	"testing"

	"fairlead.dev/agents/internal/vmtest"
)

// Few kernels that tests run on have IP_VS, so the tests run in one that has.
func TestMain(m *testing.M) {
	vmtest.Main(m, append(vmtest.Network, "ipip", "ip6_tunnel",
		"ip_vs_rr", "ip_vs_wrr", "ip_vs_lc", "ip_vs_wlc", "ip_vs_sh", "ip_vs_dh", "ip_vs_sed", "ip_vs_nq", "ip_vs_mh")...)
}
