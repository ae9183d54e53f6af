// Package topology reads a laboratory's description: which nodes, balancers,
// pods, services and clients there are. It fills in what was left out and
// refuses what can't be, in sentences that name the field and the cure. It
// touches neither files nor the kernel.
package topology
