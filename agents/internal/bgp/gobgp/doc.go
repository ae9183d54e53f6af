// Package gobgp is the only one that knows gobgp: it makes an engine of it. It translates
// what is desired into gobgp's words and what gobgp says into ours, and decides nothing.
//
// gobgp keeps whether it is multipath in a variable of the whole process, so that a
// process can have engines of one kind only. It waits 1.5 to 2 s before it first calls a
// peer, and 5 s more after a session broke; neither can be changed.
// A caller that falls silent before its session is up holds its own place until TCP gives it
// up, which takes minutes; of peers with a name we have the hold time end that.
// Of each caller that ended while something was still to be said to it, it kept a parked
// goroutine for good; package channels, in the place of a module that it uses, mends that.
package gobgp
