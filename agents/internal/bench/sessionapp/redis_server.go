package sessionapp

// RedisProgram is the server of Debian's package redis-server.
const RedisProgram = "/usr/bin/redis-server"

// RedisArguments are those of a server that stores nothing on a disk.
func RedisArguments(address, port, folder string) []string {
	return []string{
		"--bind", address, "--port", port, "--dir", folder, "--protected-mode", "no",
		"--save", "", "--appendonly", "no", "--daemonize", "no", "--loglevel", "warning",
	}
}
