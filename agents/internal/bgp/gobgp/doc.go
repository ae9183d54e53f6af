// Package gobgp implements bgp.Engine with gobgp, and is the only package that imports it. It
// translates settings and results, and makes no decisions.
//
// gobgp stores the multipath setting in a global variable, so that all engines of a process share
// it. It waits 1.5 to 2 s before the first connection to a peer, and 5 s more after a lost session;
// neither can be changed.
// A dynamic peer that stops responding before its session is established stays until TCP times out,
// which takes minutes. For named peers the hold timer ends that.
// gobgp sends the table to a new peer before it would send changes, so that changes in between were
// lost. The gate fixes that.
// gobgp leaked a goroutine for each dynamic peer that left while messages to it were queued.
// Package channels, which replaces a module that gobgp uses, fixes that.
package gobgp
