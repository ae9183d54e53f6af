// Package atomicfile replaces files so that a reader, or a restart after a crash, finds either the
// old content or the new one, never a part.
package atomicfile
