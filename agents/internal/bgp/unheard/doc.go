// Package unheard reads what the kernel dropped of TCP before any program heard it: packets
// without the right password, and packets from too far away. BGP can't tell of them, since
// to it they never were. It counts for this network namespace, and changes nothing.
package unheard
