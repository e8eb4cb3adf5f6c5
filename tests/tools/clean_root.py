# SPDX-License-Identifier: Apache-2.0
"""A clean Debian 12 in a folder, with git, make and a clone of these sources. Needs root, debootstrap, the network, and
a Debian 12 around it, whose archives it uses."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess

# How the network is reached: as here
NETWORK = re.compile("(https?|ftp|no)_proxy|PIP_(CERT|INDEX_URL)|NPM_CONFIG_REGISTRY|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|"
                     "CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|GIT_SSL_CAINFO", re.I)
MARK = "made-by-clean-root"  # a folder with this file may be removed
MOUNTS = """set -e
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount -t tmpfs tmpfs "$0/tmp"
[ -z "$1" ] || mount --bind "$1" "$0/$1"
cd "$0"
exec chroot "$0" /usr/bin/env -i "${@:2}"
"""


def archives():
    """Addresses of Debian 12's archives, by suite: those of this system"""
    said = subprocess.run(["apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI) $(COMPONENT)",
                           "Created-By: Packages"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {}
    for line in said.splitlines():
        suite, address, component = line.split()
        if component == "main" and re.fullmatch("bookworm(-updates|-security)?", suite):
            found.setdefault(suite, address)
    if "bookworm" not in found:
        raise SystemExit("a clean root needs the archive of bookworm among this system's")
    return found


class CleanRoot:
    """Commands run in its clone, which has the path that the sources have here: so CCACHE_DIR, if set, is of use."""

    def __init__(self, folder, sources):
        self.folder, self.root, self.sources = folder, folder / "root", sources
        if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
            raise SystemExit(f"{folder}: is not empty, and not made by this script")
        if os.geteuid() or not shutil.which("debootstrap"):
            raise SystemExit("a clean root needs debootstrap and root")

    def make(self):
        self.remove()
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / MARK).touch()
        suites = archives()
        self.logged("debootstrap", "--variant=minbase", "bookworm", str(self.root), suites["bookworm"])
        (self.root / "etc/apt/sources.list").write_text(
            "".join(f"deb {address} {suite} main\n" for suite, address in suites.items()), encoding="utf-8")
        (self.root / "etc/hosts").write_text("127.0.0.1 localhost\n", encoding="utf-8")
        self.run("apt-get -q update && apt-get -q -y install --no-install-recommends git make", "/", check=True)

    def clone(self):
        """Clones the committed sources"""
        inside = self.root / self.sources.relative_to("/")
        shutil.rmtree(inside, ignore_errors=True)
        inside.parent.mkdir(parents=True, exist_ok=True)
        self.logged("git", "clone", "-q", "--no-hardlinks", str(self.sources), str(inside))
        return inside

    def logged(self, *command):
        with open(self.folder / "log", "ab") as log:
            subprocess.run(command, stdout=log, stderr=log, check=True)

    def environment(self):
        values = {"HOME": "/root", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                  "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        for name, value in os.environ.items():
            if NETWORK.fullmatch(name):
                if os.path.isfile(value):  # a certificate
                    there = f"/etc/host-{pathlib.Path(value).name}"
                    shutil.copyfile(value, self.root / there[1:])
                    value = there
                values[name] = value
        for name in ("CCACHE_DIR", "JOBS"):
            if name in os.environ:
                values[name] = os.environ[name]
        return [f"{name}={value}" for name, value in values.items()]

    def run(self, script, folder=None, **options):
        """A shell's commands in the clone, each time in mounts and with processes of its own, which end with it."""
        shutil.copyfile("/etc/resolv.conf", self.root / "etc/resolv.conf")
        cache = os.environ.get("CCACHE_DIR", "")
        if cache:
            (self.root / cache.lstrip("/")).mkdir(parents=True, exist_ok=True)
        command = f"cd {shlex.quote(str(folder or self.sources))}\n{script}"
        alone = ["unshare", "--mount", "--propagation", "private", "--pid", "--fork"]
        return subprocess.run([*alone, "bash", "-c", MOUNTS, str(self.root), cache, *self.environment(), "bash", "-ec",
                               command], stdin=subprocess.DEVNULL, **{"check": False, **options})

    def remove(self):
        if (self.folder / MARK).exists():
            subprocess.run(["rm", "-rf", "--one-file-system", str(self.folder)], check=True)
