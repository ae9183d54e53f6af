// Command fairlead-bench measures data paths between network namespaces and says
// in JSON lines what it saw. It is for benchmarks and is not part of a release.
// It starts itself again for each end: `serve`, `load` and `engine` are those.
package main
