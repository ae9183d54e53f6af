package program

// The layouts of sockets are the same in the second object, because they come from the same header.
//
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -type address -type service_key -type limits -type service_numbers -type listed -type reason -type correction -type entry_key -type ended_flow Sockets sockets.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I../../balancer/datapath/bpf/program -I/usr/include/x86_64-linux-gnu
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -no-global-types SocketsList sockets_list.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I../../balancer/datapath/bpf/program -I/usr/include/x86_64-linux-gnu
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -type signal_limits -type signal_backend -type signal_prefix -type signal_protocol -type signal_port_set -type signal_service -type signal_origin_key -type signal_origin -type signal_connection -type signal_flow -type signal_order -type signal_correction -type signal_state -no-global-types Signals signals.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I../../balancer/datapath/bpf/program -I/usr/include/x86_64-linux-gnu
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -type entry_settings -type entry_target_key -type entry_target -no-global-types Entry entry.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I../../balancer/datapath/bpf/program -I/usr/include/x86_64-linux-gnu
