package program

// The layouts come with the first program; they are the same in the second one,
// because they come from the same header.
//
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -type limits -type placed_limits -type backend_flags -type flow_flags -type nat_flags -type nat_state -type delivery -type drop -type timing -type tunnelled -type misplaced_flow -type row -type row_care -type chooser -type pick -type picks -type steered_flow -type kept_packet -type kept_frame -type held_packet -type table -type address -type next_program Tcx tcx.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I/usr/include/x86_64-linux-gnu
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -no-global-types Decap decap.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I/usr/include/x86_64-linux-gnu
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -no-global-types Xdp xdp.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I/usr/include/x86_64-linux-gnu
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -type session_limits -type session_service -type session_key -type session_keys -type session_name -type session_id -type session_hint -type session_place -type session_id_entry -type session_part_of -type session_part -type session_question -type session_count -type session_outcome -type session_service_counts -type companion_count -type companion_event_kind -type companion_event -type packet_ends -type syn_limits -no-global-types Session session.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I/usr/include/x86_64-linux-gnu
//go:generate go tool bpf2go -cc clang-16 -strip llvm-strip-16 -target bpfel -no-global-types Companion companion.bpf.c -- -O2 -mcpu=v3 -g -Wall -Werror -I/usr/include/x86_64-linux-gnu
