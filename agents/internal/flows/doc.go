// Package flows shares with the other replicas where a few connections went: those that
// another replica would send elsewhere if it received their packets. Each replica
// receives from each of its peers over one connection that it opened itself, so that it
// learns only from configured peers: first all of the peer's flows, then each new one,
// and all again periodically, which makes a lost one harmless.
//
// It never decides where a connection goes, and a replica that receives nothing balances
// as well as before. See docs/decisions/0007-connections-survive.md.
package flows
