// Package controlplane is the agent's side of the protocol: it enrols once,
// keeps the certificate fresh, receives the newest whole config and delivers
// reports in order. It decides nothing about the host and never touches it.
//
// A [Session] is what an agent holds. It survives whatever the control plane
// does: it reconnects with growing pauses, keeps a bounded number of reports
// meanwhile, and when it is refused it says so and stays quiet for a while.
package controlplane
