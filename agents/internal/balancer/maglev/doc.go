// Package maglev spreads rows of a table over weighted members so that a change of
// members moves few rows. It is pure: the same members give the same table on every
// replica and in every version, so neither its size nor its hash may ever change. It has
// no notion of packets or health.
package maglev
