// Package version has the version of this software.
package version

// Software is the release the binary was built from; the release build sets it with -ldflags "-X
// fairlead.dev/agents/internal/version.Software=1.2.3".
var Software = "0.1.0"

// Protocol is the version of the agent protocol that this binary was written against. It rises with what an agent must
// understand before the control plane may send it:
//
//	3: speakers send shares as link bandwidths, and routers give next hops weights by them
//	2: sessions with the delivery "proxy" and managed names, names while the proxy carries; the role backend unwraps packets
const Protocol = 3
