#!/bin/sh
# Installs the Fairlead agent as a systemd service and enrols it. Run it again to upgrade: it keeps identity and settings.
#
#   curl -fsSL https://fairlead.example.com/download/agent/install.sh | FAIRLEAD_TOKEN=fl1_… sh -s -- node
#
# The token is read from FAIRLEAD_TOKEN, or from the terminal if that is not set. It is never an argument of a command,
# because other users can read those. With DESTDIR, everything is installed below that folder and nothing is started.
set -eu

# The control plane that serves this script fills these in.
url=''
control_plane=''

usage() {
  cat <<END
usage: install.sh [ROLE] [--node-name NAME] [--interface NAME] [--control-plane URL]
  ROLE             node (default), balancer, speaker, reflector, router, backend or adaptive
  --node-name      name of this node; its hostname by default
  --interface      interface of clients or peers; that of the default route by default
  --control-plane  https://host:port of the gateway for agents
variables: FAIRLEAD_TOKEN, the enrolment token; DESTDIR
END
}

die() {
  echo "fairlead-agent: $*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ] || [ -n "$destdir" ]; then "$@"; else sudo "$@"; fi
}

# read_arguments sets the role and the settings that were given. Their values are safe in an environment file.
read_arguments() {
  role=node
  node_name=''
  interface=''
  case ${1:-} in
    '' | -*) ;;
    *) role=$1 && shift ;;
  esac
  while [ $# -gt 0 ]; do
    case $1 in
      --help) usage && exit 0 ;;
      --node-name | --interface | --control-plane) [ $# -gt 1 ] || die "$1 needs a value" ;;
      *) usage >&2 && exit 2 ;;
    esac
    case $1 in
      --node-name) node_name=$2 ;;
      --interface) interface=$2 ;;
      --control-plane) control_plane=$2 ;;
    esac
    shift 2
  done
  case $role in
    node | balancer | speaker | reflector | router | backend | adaptive) ;;
    *) die "there is no role \"$role\": use node, balancer, speaker, reflector, router, backend or adaptive" ;;
  esac
  case $node_name$interface in *[!A-Za-z0-9._:@+-]*) die "a name may have letters, digits and . _ : @ + - only" ;; esac
  case $control_plane in https://*) ;; *) die "the control plane is \"$control_plane\": use the form https://host:port" ;; esac
  case $token in *[!A-Za-z0-9_-]*) die "FAIRLEAD_TOKEN is not an enrolment token: copy all of it again" ;; esac
}

read_machine() {
  [ "$(uname -s)" = Linux ] || die "the agent runs on Linux, and this is $(uname -s)"
  case $(uname -m) in
    x86_64 | amd64) platform=linux-amd64 ;;
    aarch64 | arm64) platform=linux-arm64 ;;
    *) die "there is no agent for $(uname -m): it runs on x86_64 and aarch64" ;;
  esac
  for program in curl sha256sum install; do
    command -v "$program" >/dev/null || die "this script needs $program: install it and run the script again"
  done
  if [ "$(id -u)" != 0 ] && [ -z "$destdir" ]; then
    command -v sudo >/dev/null || die "run this script as root: sudo is not installed"
  fi
}

# download NAME FILE stores a file of the control plane if it has the checksum that the control plane lists. A program
# that is still being built is waited for: the control plane answers with Retry-After.
download() {
  status=$(curl -sS -o "$work/sum" -w '%{http_code}' "$url/download/agent/$1/sha256") || die "$url can't be reached"
  if [ "$status" = 503 ]; then
    echo "The control plane is preparing $1. This takes about a minute."
    curl -fsSL --retry 60 --retry-max-time 900 -o "$work/sum" "$url/download/agent/$1/sha256" 2>/dev/null ||
      die "the control plane has no $1 yet: $(curl -s "$url/download/agent/$1/sha256")"
  elif [ "$status" != 200 ]; then
    die "$url/download/agent/$1 returned $status: $(cat "$work/sum")"
  fi
  read -r sum _ <"$work/sum"
  if [ "$(checksum_of "$3")" = "$sum" ]; then
    return
  fi
  curl -fsSL --retry 5 -o "$2" "$url/download/agent/$1?sha256=$sum" || die "$1 could not be downloaded; nothing was changed"
  [ "$(checksum_of "$2")" = "$sum" ] || die "$1 has another checksum than $sum; nothing was changed. Run the script again."
}

checksum_of() {
  [ ! -f "$1" ] || sha256sum "$1" | cut -d ' ' -f 1
}

# ask_for_token reads the token from the terminal, unless this machine has an identity or a token already.
ask_for_token() {
  if [ -n "$token" ] || as_root test -f "$state/identity.json" || as_root grep -qs '^FAIRLEAD_TOKEN=' "$settings"; then
    return
  fi
  (: </dev/tty) 2>/dev/null || die "set FAIRLEAD_TOKEN to the token that the dashboard shows under Nodes, Add node"
  printf 'Enrolment token: ' >/dev/tty
  stty -echo </dev/tty
  read -r token </dev/tty || true
  stty echo </dev/tty
  echo >/dev/tty
  case $token in '' | *[!A-Za-z0-9_-]*) die "this is not an enrolment token" ;; esac
}

# write_settings replaces what was given, keeps the other lines, and adds defaults for what is missing.
write_settings() {
  new=$work/settings
  : >"$new"
  set_line FAIRLEAD_CONTROL_PLANE "$control_plane"
  set_line FAIRLEAD_TOKEN "$token"
  set_line FAIRLEAD_NODE "$node_name"
  set_line FAIRLEAD_INTERFACE "$interface"
  if as_root test -f "$settings"; then
    as_root cat "$settings" >"$work/old"
    while IFS= read -r line; do
      grep -q "^${line%%=*}=" "$new" || echo "$line" >>"$new"
    done <"$work/old"
  fi
  case $role in node | backend | adaptive) has_interface= ;; *) has_interface=yes ;; esac
  if [ -n "$has_interface" ] && ! grep -q '^FAIRLEAD_INTERFACE=' "$new"; then
    set_line FAIRLEAD_INTERFACE "$(awk '$2 == "00000000" { print $1; exit }' /proc/net/route)"
  fi
  # Where the speaker of this machine looks for its balancer.
  if [ "$role" = balancer ] && ! grep -q '^FAIRLEAD_METRICS_LISTEN=' "$new"; then
    set_line FAIRLEAD_METRICS_LISTEN 127.0.0.1:9100
  fi
  as_root install -d -m 0700 "$destdir/etc/fairlead-agent"
  as_root install -m 0600 "$new" "$settings"
}

set_line() {
  [ -z "$2" ] || echo "$1=$2" >>"$new"
}

# install_program moves it into place: a running program can't be overwritten.
install_program() {
  as_root install -d "$destdir/usr/local/bin" "$destdir/etc/systemd/system"
  if [ -f "$work/fairlead-agent" ]; then
    as_root install -m 0755 "$work/fairlead-agent" "$program_file.new"
    as_root mv -f "$program_file.new" "$program_file"
  fi
  [ ! -f "$work/unit" ] || as_root install -m 0644 "$work/unit" "$unit_file"
  [ ! -f "$work/ticket-keys" ] || as_root install -D -m 0644 "$work/ticket-keys" "$ticket_keys_file"
  "$program_file" version
}

start_service() {
  unit=fairlead-agent@$role.service
  if [ -n "$destdir" ]; then
    echo "Installed below $destdir."
    return
  fi
  if [ ! -d /run/systemd/system ]; then
    echo "systemd does not run here. Start the agent as root with:"
    echo "  (set -a; . $settings; FAIRLEAD_STATE=$state exec $program_file $role)"
    return
  fi
  as_root systemctl daemon-reload
  as_root systemctl enable --quiet "$unit"
  as_root systemctl restart "$unit"
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    sleep 1
    if as_root test -f "$state/identity.json" && systemctl is-active --quiet "$unit"; then
      echo "The agent runs and is enrolled. Its service is $unit."
      return
    fi
  done
  as_root journalctl --no-pager --output=cat --lines=5 --unit="$unit" >&2
  die "the agent is installed, but has not enrolled yet. The lines above are its log: journalctl -u $unit"
}

main() {
  destdir=${DESTDIR:-}
  token=${FAIRLEAD_TOKEN:-}
  unset FAIRLEAD_TOKEN
  read_arguments "$@"
  read_machine
  settings=$destdir/etc/fairlead-agent/$role.env
  state=$destdir/var/lib/fairlead-agent/$role
  program_file=$destdir/usr/local/bin/fairlead-agent
  unit_file=$destdir/etc/systemd/system/fairlead-agent@.service
  ticket_keys_file=$destdir/etc/systemd/system/fairlead-agent@backend.service.d/ticket-keys.conf
  # Readable for this user only, as everything below it.
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  ask_for_token
  download "$platform" "$work/fairlead-agent" "$program_file"
  download fairlead-agent.service "$work/unit" "$unit_file"
  [ "$role" != backend ] || download ticket-keys.conf "$work/ticket-keys" "$ticket_keys_file"
  install_program
  write_settings
  start_service
}

# On the last line, so that a script that arrived in part does nothing.
main "$@"
