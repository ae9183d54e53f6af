// Package freeze stops process groups, as a fault. It returns when nothing of a group runs any more: the kernel
// only begins to stop a process when it is sent SIGSTOP, and its threads may answer for a while on a busy machine.
package freeze
