// Package program has the programs in the kernel: the C headers that parse, choose and
// rewrite, one program file per hook, the code generated from them, and how Go reads and
// writes their maps, events and clock. Everything that must agree with the C code is here.
// It never decides what is in a map.
package program
