// Package maglev spreads rows of a table over weighted members so that a change
// of members moves few rows. It is pure: the same members give the same table
// on every replica and in every version, which is why neither its size nor its
// hash may ever change. It knows neither packets nor health.
package maglev
