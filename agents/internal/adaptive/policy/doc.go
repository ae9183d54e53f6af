// Package policy computes what one more request costs at each node: the time that it waits, and
// that others wait because of it. It does no input or output.
package policy
