// Package program has the programs of strategy adaptive in the kernel: those that choose where the
// connections of this node go (sockets*), and those that count requests at their servers (signals*).
// It has their C headers, the code generated from them, and how Go loads them and opens their maps.
// What they share is once: the requests in flight, and addresses as in the balancer's programs.
// It never decides what is in a map.
package program
