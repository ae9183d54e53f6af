// Package balancertest tests whole agents for promises that an engine can't keep alone.
// The agent is a process of its own inside the balancer's namespace, with real checks and
// real packets. The package is independent of any engine.
package balancertest
