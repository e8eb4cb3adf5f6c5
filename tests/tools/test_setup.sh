#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/setup: silent and quick when nothing is missing; installs exactly the missing packages, and names them.
set -euo pipefail
root=$1

fail() {
  echo "$*"
  exit 1
}

start=$(date +%s%N)
said=$("$root/scripts/setup")
took=$((($(date +%s%N) - start) / 1000000))
[ -z "$said" ] || fail "setup was not a no-op: $said"
[ "$took" -lt 1000 ] || fail "setup took $took ms with nothing to do"

# Every package has its purpose, and is there once.
list=$root/scripts/packages.txt
sed -e '/^#/d' -e '/^$/d' "$list" | awk 'NF < 2 {print "no purpose: " $0; bad = 1} seen[$1]++ {print "twice: " $1; bad = 1} END {exit bad}'
if "$root/scripts/setup" --frobnicate 2>/dev/null; then
  fail "setup took an unknown argument"
fi

# The packages of `make run` are a part of it, without those of tests.
[ "$("$root/scripts/setup" --list --run | sort | comm -13 <("$root/scripts/setup" --list | sort) -)" = '' ] ||
  fail "--run lists what is not on the list"
for name in chromium qemu-system-misc golang-go npm gtkwave yosys; do
  ! "$root/scripts/setup" --list --run | grep -qx "$name" || fail "--run lists $name"
done

# A machine where three packages are missing, one of them known but removed, and another one provides gtkwave. Commands
# are only written down.
machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
mkdir -p "$machine/scripts" "$machine/bin" "$machine/.venv/bin"
cp "$root/scripts/setup" "$root/scripts/packages.txt" "$root/scripts/requirements.txt" "$root/scripts/npm.txt" \
  "$machine/scripts/"
mkdir "$machine/.npm"
cp "$root/scripts/npm.txt" "$machine/.npm/installed"
awk '/^# \[npm\]/ {exit} !/^#/ && NF' "$root/scripts/requirements.txt" >"$machine/.venv/requirements.installed"
ln -s "$(type -P true)" "$machine/.venv/bin/python"
cat >"$machine/bin/dpkg-query" <<'STUB'
#!/usr/bin/env bash
sed -e 's/#.*//' "$(dirname "$0")/../scripts/packages.txt" | awk 'NF {print $1}' | while read -r name; do
  case $name in
    gtkwave) echo "installed,waveviewer,waveviewer-doc, gtkwave (= 3.3)" ;;
    yosys | cmake) ;;
    iverilog) echo "config-files,$name," ;;
    *) echo "installed,$name," ;;
  esac
done
STUB
for name in apt-get sudo; do
  printf '#!/usr/bin/env bash\n[ "%s" = sudo ] && exec "$@"\necho "%s $*" >>"%s"\n' \
    "$name" "$name" "$machine/log" >"$machine/bin/$name"
done
chmod +x "$machine"/bin/*
# setup_of ARGUMENTS, its output, the commands that it runs
setup_of() {
  rm -f "$machine/log"
  # shellcheck disable=SC2086
  said=$(PATH=$machine/bin:$PATH "$machine/scripts/setup" $1)
  [ "$said" = "$2" ] || fail "setup $1 said: $said"
  [ "$(cat "$machine/log")" = "apt-get update -q
apt-get install -q -y --no-install-recommends $3" ] || fail "setup $1 ran: $(cat "$machine/log")"
}
setup_of '' 'setup: installing cmake iverilog yosys' 'cmake iverilog yosys'
setup_of --run 'setup: installing cmake' 'cmake'
if PATH=$machine/bin:$PATH "$machine/scripts/setup" --with nothing 2>"$machine/err" ||
  ! grep -q 'no section \[nothing\]' "$machine/err"; then
  fail "setup took an unknown section: $(cat "$machine/err")"
fi
