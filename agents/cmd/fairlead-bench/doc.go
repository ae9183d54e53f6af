// Command fairlead-bench measures data paths between network namespaces and prints JSON lines. It
// is for benchmarks and not part of a release. It runs itself for each endpoint: `serve`, `load`
// and `engine`.
package main
