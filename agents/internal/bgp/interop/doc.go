// Package interop holds our engines against other people's routers: FRR and BIRD as the
// upstream router, FRR as the reflector, exabgp and gobgpd as speakers. Each is started
// from exactly the text that the control plane writes for it.
package interop
