#!/bin/sh
# install_test.sh BUILD: makes the .deb, installs it on a bare Debian 12 with nothing else, and works there as an ordinary user and
# as root. It needs root and the network. Prints "skipped: .." where it cannot run.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
[ "$(id -u)" = 0 ] || { echo "skipped: only root can make a system; type: sudo make test-package"; exit 0; }
for tool in mmdebstrap bwrap dpkg-shlibdeps; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool; make test-package installs it"; exit 0; }
done
work=$build/package_installed
rm -rf "$work"
mkdir -p "$work" "$build/elsewhere"
"$here/make_package.sh" "$build" "$work"
system=$build/elsewhere/plain-bookworm.tar
if [ ! -e "$system" ]; then
    mmdebstrap --quiet --format=tar --variant=minbase --include=ca-certificates bookworm "$system.part" || { echo "skipped: Debian 12's packages cannot be had"; exit 0; }
    mv "$system.part" "$system"
fi
root=$work/system
mkdir "$root"
tar -C "$root" -xf "$system"
cp "$work"/*.deb "$root/root"
# See .ci/elsewhere: a plain chroot would take away the right to make namespaces, which the grader's sandbox needs.
inside() {
    bwrap --bind "$root" / --dev /dev --proc /proc --ro-bind /sys /sys --cap-add ALL --die-with-parent --unshare-pid --unshare-ipc \
        --clearenv --setenv PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --setenv HOME /root --setenv LANG C.UTF-8 \
        --chdir /root "$@"
}
cp /etc/resolv.conf "$root/etc/resolv.conf"
say() { echo "== $1"; }
say "installing"
inside sh -ec 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends ./*.deb' >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
inside sh -ec 'dpkg -s attention-lab | grep -E "^(Version|Depends|Installed-Size)"; grader --version; ls /opt/attention-lab/lib/attention-lab/grader/preludes'
inside useradd --create-home --shell /bin/sh teacher
cp "$here/../assignments/self_attention/proof/solution.cpp" "$root/home/teacher/self_attention.cpp"
cat >"$root/home/teacher/work.sh" <<'END'
set -ex
cd "$(mktemp -d)"
attention-lab course autumn
cd autumn
cp /home/teacher/self_attention.cpp student/
make list A=2
make grade A=2 | tee graded
grep -q " / 100" graded
make handout
(umask 077; echo 0123456789abcdef0123 >secret.txt)
make gradescope A=2 SEED_FILE=secret.txt
grader class init hw --assignment 2 --zone Europe/Berlin --due "2026-11-20 23:59"
sed -i "s/^speed = true/speed = false/" hw/class.toml
mkdir -p work/anna work/ben
cp student/self_attention.cpp work/anna
cp /opt/attention-lab/lib/attention-lab/student/self_attention.cpp work/ben
cd hw
grader class add ../work
grader class grade
grader class publish
grader class export --to csv --grades grades.csv
grep -q 85 grades.csv
grader class status
END
for user in teacher root; do
    say "working as $user"
    inside setpriv --reuid $user --regid $user --init-groups env HOME=/tmp/home-of-$user sh /home/teacher/work.sh >"$work/log" 2>&1 ||
        { cat "$work/log"; echo "install_test: the work of $user failed; its output is above" >&2; exit 1; }
    cat "$work/log"
done
say "removing"
inside sh -ec 'apt-get purge -qy attention-lab >/dev/null 2>&1; ! ls -d /opt/attention-lab /usr/bin/grader 2>/dev/null'
rm -rf "$root"
echo "The package was installed, used and removed."
