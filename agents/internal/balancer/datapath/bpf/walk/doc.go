// Package walk visits every entry of the tables of flows, on a goroutine of its own. One walk
// counts live connections, deletes flows that are over, and finds misplaced ones. Others
// request a walk, and wait for it only while walks are short. It never changes an entry that
// a packet has changed since it was read.
package walk
