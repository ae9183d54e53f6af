// Package interop tests our engines with third-party routers: FRR and BIRD as the upstream router,
// FRR as the reflector, ExaBGP and gobgpd as speakers. Each starts with exactly the configuration
// that the control plane generates for it.
package interop
