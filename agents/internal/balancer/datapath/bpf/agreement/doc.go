// Package agreement makes replicas agree on where connections go: it finds the flows that
// another replica would place elsewhere, queues them for the peers, and stores what the peers
// announce unless this replica has something younger. It never decides where a new connection
// goes. Package flows carries the announcements between replicas.
package agreement
