# guard.sh FOLDER: ends programs, and removes their folder, when whoever started them is gone.
# Each line of the standard input names the pids of all of them; it ends when its writer does, however that dies.
pids=
while read -r line; do pids=$line; done
# shellcheck disable=SC2086 # they are several words
[ -z "$pids" ] || kill -9 $pids 2>/dev/null
# What is killed may be in the middle of making a file.
tries=0
until rm -rf -- "$1" 2>/dev/null || [ "$tries" -ge 50 ]; do
  tries=$((tries + 1))
  sleep 0.1
done
