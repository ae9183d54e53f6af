// Package cpulimit reads how much CPU time a cgroup may use, and how often that was too little: of
// version 2, and of version 1 with its controllers in folders of their own. It never changes a
// cgroup.
package cpulimit
