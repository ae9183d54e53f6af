// Package sessionapp is a small web application whose users have sessions: each request needs all data of its session.
// They are in the memory of the application, or in Redis, which all its servers share. It is a backend to compare
// balancers that return a user to its server with those that don't.
package sessionapp
