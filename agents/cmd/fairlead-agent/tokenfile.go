package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"fairlead.dev/agents/internal/controlplane"
)

// tokenFileMostSize only prevents endless reads from a wrong path, such as /dev/zero.
const tokenFileMostSize = 64 << 10

// readToken prefers the file. There is no flag for the token itself, because every user of the host
// could read it in the process list.
func readToken(file, fromEnvironment string, stdin io.Reader) (*controlplane.Token, error) {
	text, err := fromEnvironment, error(nil)
	switch file {
	case "":
	case "-":
		text, err = readText(stdin)
	default:
		text, err = readTokenFile(file, fromEnvironment)
	}
	if err != nil {
		return nil, refuse("the token can't be read: %w", err)
	}
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	token, err := controlplane.ParseToken(text)
	if err != nil {
		return nil, refusal{err}
	}
	return token, nil
}

// readTokenFile treats a missing file as no token: it may be a secret that was mounted only for the
// first start.
func readTokenFile(path, otherwise string) (string, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return otherwise, nil
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	return readText(file)
}

func readText(from io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(from, tokenFileMostSize))
	return string(data), err
}
