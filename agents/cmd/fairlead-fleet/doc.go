// Command fairlead-fleet loads a control plane with simulated agents and prints measurements as
// JSON lines. It is for benchmarks and not part of a release.
package main
