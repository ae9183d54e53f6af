//go:build !unix

package main

func lockFolder(string) (release func(), err error) { return func() {}, nil }
