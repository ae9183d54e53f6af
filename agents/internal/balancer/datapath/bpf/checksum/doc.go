// Package checksum computes the checksum of internet protocols, for packets that the agent
// itself sends. It only changes the bytes that it is given.
package checksum
