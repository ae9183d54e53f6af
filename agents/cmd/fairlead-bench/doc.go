// Command fairlead-bench measures data paths between network namespaces and prints JSON lines, and has the
// load generator `load` and the simulator `simulate`. It is not part of a release. It runs itself for each
// endpoint: `serve`, `closed-loop` and `engine`.
package main
