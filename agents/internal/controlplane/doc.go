// Package controlplane is the agent's side of the protocol: it enrols once, renews the certificate,
// receives the newest complete config, and delivers reports in order. It makes no decisions about
// the host and never changes it.
//
// A [Session] handles all failures of the control plane: it reconnects with growing pauses, buffers
// a limited number of reports, and after a refusal it logs that and retries rarely.
package controlplane
