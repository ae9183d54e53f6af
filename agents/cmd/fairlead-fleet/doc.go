// Command fairlead-fleet loads a control plane with simulated agents and says,
// in JSON lines, how it coped. It is for benchmarks and is not part of a release.
package main
