// Package bgpscale measures what many routes cost: so many speakers each offer so many
// prefixes to our reflector, which gives all of them to our router. Both are the agent's own
// processes. Speakers are played, by as little as makes a BGP session, so that what is measured
// isn't theirs; meanwhile both agents are asked for routes by their own pages.
package bgpscale
