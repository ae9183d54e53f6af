# guard.sh FOLDER: ends programs, and removes their folder, when the process that started them is gone.
# Each line of the standard input contains the pids of all of them. The input ends when its writer exits, in any way.
pids=
while read -r line; do pids=$line; done
# shellcheck disable=SC2086 # they are several words
[ -z "$pids" ] || kill -9 $pids 2>/dev/null

# The programs' cgroups have the folder's name.
name=$(basename "$1")
cgroups() { find /sys/fs/cgroup -depth -type d -path "*/$name*" "$@" 2>/dev/null; }
# A killed program may still be creating a file, and stays in its cgroup until it is gone.
tries=0
until
  cgroups -exec rmdir {} +
  rm -rf -- "$1" 2>/dev/null && [ -z "$(cgroups)" ] || [ "$tries" -ge 50 ]
do
  tries=$((tries + 1))
  sleep 0.1
done
