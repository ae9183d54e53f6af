// Package genetlink reads which generic netlink families the kernel has.
//
// The same functions of vishvananda/netlink read two bytes beyond the message header: the kernel gets
// whatever is there, and a test with the race detector may end with a fatal error of checkptr.
package genetlink
