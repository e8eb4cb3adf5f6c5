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

# Every package says what it is for, and is there once.
list=$root/scripts/packages.txt
sed 1d "$list" | awk 'NF < 2 {print "no purpose: " $0; bad = 1} seen[$1]++ {print "twice: " $1; bad = 1} END {exit bad}'
if "$root/scripts/setup" --frobnicate 2>/dev/null; then
  fail "setup took an unknown argument"
fi

# A machine where two packages are missing, one of them known but removed, and another one provides npm. What would be run
# is only written down.
machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
mkdir -p "$machine/scripts" "$machine/bin" "$machine/.venv/bin"
cp "$root/scripts/setup" "$root/scripts/packages.txt" "$root/scripts/requirements.txt" "$root/scripts/npm.txt" \
  "$machine/scripts/"
mkdir "$machine/.npm"
cp "$root/scripts/npm.txt" "$machine/.npm/installed"
awk '/^# \[/ {exit} !/^#/ && NF' "$root/scripts/requirements.txt" >"$machine/.venv/requirements.installed"
ln -s "$(type -P true)" "$machine/.venv/bin/python"
cat >"$machine/bin/dpkg-query" <<'STUB'
#!/usr/bin/env bash
sed -e 's/#.*//' "$(dirname "$0")/../scripts/packages.txt" | awk 'NF {print $1}' | while read -r name; do
  case $name in
    npm) echo "installed,nodejs,nodejs-doc, npm (= 9.2)" ;;
    yosys) ;;
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
said=$(PATH=$machine/bin:$PATH "$machine/scripts/setup")
[ "$said" = "setup: installing iverilog yosys" ] || fail "it said: $said"
expected='apt-get update -q
apt-get install -q -y --no-install-recommends iverilog yosys'
[ "$(cat "$machine/log")" = "$expected" ] || fail "it ran: $(cat "$machine/log")"
