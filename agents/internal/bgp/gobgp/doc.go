// Package gobgp is the only one that knows gobgp: it makes an engine of it. It translates
// what is desired into gobgp's words and what gobgp says into ours, and decides nothing.
//
// gobgp keeps whether it is multipath in a variable of the whole process, so that a
// process can have engines of one kind only.
package gobgp
