// Package synflood sends SYNs of addresses that no host has, at a fixed rate.
package synflood
