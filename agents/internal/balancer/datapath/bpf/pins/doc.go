// Package pins keeps the maps of a replica across processes: the folder in which they are
// pinned, one generation per layout, and the copy from a former layout to this one. It never
// interprets what the maps contain, except to find out which of two entries is younger.
package pins
