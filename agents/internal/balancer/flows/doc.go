// Package flows tells the other replicas where a few connections went: those
// that another replica would send elsewhere if it met them. Each replica hears
// from each of its peers over one connection that it made itself, so that it
// learns only from those it was told to trust: first all of the peer's flows,
// then each new one, and all again now and then, which makes a lost one harmless.
//
// It never decides where a connection goes, and a replica that hears nothing
// balances as well as before. See docs/decisions/0007-connections-survive.md.
package flows
