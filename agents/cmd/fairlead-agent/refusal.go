package main

import "fmt"

// refusal is an error that a restart won't fix: the user has to change something first.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

func refuse(format string, arguments ...any) error {
	return refusal{fmt.Errorf(format, arguments...)}
}

// childExit is the exit code of a child process that has already printed its error.
type childExit int

func (c childExit) Error() string { return "see above" }
