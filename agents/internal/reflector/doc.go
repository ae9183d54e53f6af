// Package reflector is the role that reflects the routes of speakers: routers receive every route
// to a prefix, not only the best one, and speakers receive none.
package reflector
