// Package state has the wanted state of the maps: which slot and incarnation each backend
// has, both Maglev tables of each service, and the rows that a change puts in doubt. A plan
// is derived from the previous one, or recalled from the maps of a former process. It writes
// only the tables, which are frozen before a packet reads them; the engine writes the rest.
package state
