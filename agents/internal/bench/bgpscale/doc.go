// Package bgpscale measures the cost of many routes: a number of speakers each advertise a number
// of prefixes to our reflector, which sends all of them to our router. Both are processes of the
// agent. Speakers are minimal BGP sessions, so that their cost doesn't count; meanwhile both agents
// are queried for routes over HTTP.
package bgpscale
