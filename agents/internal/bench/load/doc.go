// Package load is an open-loop load generator whose users have TLS sessions. Requests are due at times that
// don't depend on the subject, and latency is measured from these times, so a stalled subject can't hide how
// many requests it delayed. A user returns with a new connection, which resumes its session, and the package
// records where.
//
// It owns the users, their sessions and connections, and what is measured of them. It never measures the subject's
// processor time, and never shares a session, a connection or a cookie between users.
//
// All times of a run are offsets from its start.
package load
