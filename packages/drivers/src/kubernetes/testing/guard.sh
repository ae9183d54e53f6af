# guard.sh FOLDER: ends programs, and removes their folder, when whoever started them is gone.
# Each line of the standard input names the pids of all of them; it ends when its writer does, however that dies.
pids=
while read -r line; do pids=$line; done
# shellcheck disable=SC2086 # they are several words
[ -z "$pids" ] || kill -9 $pids 2>/dev/null

# Cgroups are theirs that have the folder's name.
name=$(basename "$1")
cgroups() { find /sys/fs/cgroup -depth -type d -path "*/$name*" "$@" 2>/dev/null; }
# What is killed may be in the middle of making a file, and is in its cgroup until it is gone.
tries=0
until
  cgroups -exec rmdir {} +
  rm -rf -- "$1" 2>/dev/null && [ -z "$(cgroups)" ] || [ "$tries" -ge 50 ]
do
  tries=$((tries + 1))
  sleep 0.1
done
