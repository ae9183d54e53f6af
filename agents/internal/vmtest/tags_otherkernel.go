//go:build otherkernel

package vmtest

const buildTags = "otherkernel"
