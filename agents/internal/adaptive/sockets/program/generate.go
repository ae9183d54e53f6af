package program

// The layouts come with the first object; they are the same in the second one,
// because they come from the same header.
//
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -type limits -type listed -type reason -type correction Sockets sockets.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I/usr/include/x86_64-linux-gnu
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -no-global-types List list.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I/usr/include/x86_64-linux-gnu
