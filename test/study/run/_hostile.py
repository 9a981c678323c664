# Native code in the box, in the place of the kernel, which it starts in the end: what it reaches, listeners and files outside know.
import ctypes, json, os, resource, signal, socket, struct, subprocess, sys, time
aims = json.load(open("aims.json"))
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
here, victim, runner = ("127.0.0.1", aims["port"]), aims["victim"], aims["runner"]
target, home, key = aims["target"].encode(), aims["home"], aims["key"].encode()
tried = {}
x86 = os.uname().machine == "x86_64"

def attempt(name, work):
    try:
        tried[name] = "REACHED" if work() else "closed"
    except BaseException as error:
        tried[name] = repr(error)[:100]

# What would change this process for what follows.
def in_child(work):
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0

def called(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return True

def syscall(intel, arm, *values):
    return called(libc.syscall(ctypes.c_long(intel if x86 else arm), *values))

def send(family, kind, protocol=0, address=here):
    with socket.socket(family, kind, protocol) as it:
        it.settimeout(2)
        it.connect(address)
        it.sendall(b"native")
    return False

def sends(kind, address):
    with socket.socket(socket.AF_UNIX, kind) as it:
        it.connect(address)
        it.send(b"native")
    return False

def udp(family, host):
    with socket.socket(family, socket.SOCK_DGRAM) as it:
        it.sendto(b"native", (host, aims["udp"]))
    return False

def fast_open(call):
    with socket.socket() as it:
        it.settimeout(2)
        it.sendto(b"fast", 0x20000000, here) if call == "sendto" else it.sendmsg([b"fast"], [], 0x20000000, here)
    return False

def reads(path):
    with open(path, "rb") as file:
        return key in file.read(1 << 20)

def runs(*command):
    return key in subprocess.run(command, capture_output=True, timeout=10).stdout

def opens(path, flags=os.O_WRONLY):
    os.close(os.open(path, flags))
    return True

def sees(folder, name):
    return name in os.listdir(folder)

def process_memory():
    buffer = ctypes.create_string_buffer(8)
    local, remote = struct.pack("QQ", ctypes.addressof(buffer), 8), struct.pack("QQ", 0x400000, 8)
    return called(libc.process_vm_readv(victim, local, 1, remote, 1, 0))

def everywhere(what):
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/{what}", "rb") as file:
                    if key in file.read():
                        return True
            except OSError:
                pass
    return False

def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for _ in range(40):
                time.sleep(0.25)
                try:
                    send(socket.AF_INET, socket.SOCK_STREAM)
                except OSError:
                    pass
        os._exit(0)
    return False

def message_queue():
    queue = libc.mq_open(b"/" + key, os.O_RDONLY)
    return called(queue)

for host in ("127.0.0.1", "127.0.0.2", "0.0.0.0", "localhost", socket.gethostname()):
    attempt(f"TCP to {host}", lambda: send(socket.AF_INET, socket.SOCK_STREAM, 0, (host, aims["port"])))
    attempt(f"UDP to {host}", lambda: udp(socket.AF_INET, host))
for host in ("::1", "::ffff:127.0.0.1"):
    attempt(f"TCP to {host}", lambda: send(socket.AF_INET6, socket.SOCK_STREAM, 0, (host, aims["port"])))
    attempt(f"UDP to {host}", lambda: udp(socket.AF_INET6, host))
for name, protocol in {"MPTCP": 262, "SCTP": 132, "DCCP": 33, "UDP-Lite": 136}.items():
    attempt(name, lambda: send(socket.AF_INET, socket.SOCK_STREAM, protocol))
for call in ("sendto", "sendmsg"):
    attempt(f"fast open by {call}", lambda: fast_open(call))
FAMILIES = {
    "packets": 17, "vsock": 40, "bluetooth": 31, "kernel crypto": 38, "CAN": 29, "TIPC": 30, "XDP": 44, "SMC": 43, "RDS": 21,
    "KCM": 41, "Qualcomm": 42, "MCTP": 45, "key management": 15, "X25": 9, "IEEE 802.15.4": 36, "NFC": 39,
}
for name, family in FAMILIES.items():
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        attempt(f"{name}, kind {int(kind)}", lambda: socket.socket(family, kind).fileno() >= 0)
for number in (9, 12, 15, 16, 20):
    attempt(f"netlink {number}", lambda: socket.socket(16, socket.SOCK_RAW, number).fileno() >= 0)
attempt("a raw socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).fileno() >= 0)
for path in (aims["socket"], "/var/run/docker.sock", "/run/dbus/system_bus_socket"):
    attempt(f"a socket by path {path}", lambda: sends(socket.SOCK_STREAM, path))
attempt("a datagram by path", lambda: sends(socket.SOCK_DGRAM, aims["socket"] + ".dgram"))
attempt("an abstract socket", lambda: sends(socket.SOCK_STREAM, "\0" + aims["abstract"]))
attempt("an abstract datagram", lambda: sends(socket.SOCK_DGRAM, "\0" + aims["abstract"] + ".dgram"))
attempt("io_uring", lambda: syscall(425, 425, 8, ctypes.create_string_buffer(120)))
for name, kind in {"user": 0x10000000, "network": 0x40000000, "mounts": 0x20000, "processes": 0x20000000, "IPC": 0x8000000, "names": 0x4000000, "control groups": 0x2000000}.items():
    attempt(f"a namespace of {name}", lambda: in_child(lambda: called(libc.unshare(kind))))
for kind in ("net", "mnt", "user", "pid"):
    attempt(f"the {kind} of another", lambda: in_child(lambda: called(libc.setns(os.open(f"/proc/{runner}/ns/{kind}", os.O_RDONLY), 0))))
attempt("a mount", lambda: called(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None)))
attempt("a mount of /proc", lambda: called(libc.mount(b"proc", b"/proc", b"proc", 0, None)))
attempt("a writable system", lambda: called(libc.mount(None, b"/usr", None, 0x1000 | 0x20, None)))
attempt("a writable /proc", lambda: called(libc.mount(None, b"/proc", None, 0x1000 | 0x20, None)))
attempt("an unmount", lambda: called(libc.umount2(b"/usr", 2)))
attempt("an unmount of /proc", lambda: called(libc.umount2(b"/proc", 2)))
for number in (428, 429, 430, 432, 442):
    attempt(f"call {number} of mounts", lambda: syscall(number, number, -100, b"/usr", 1, 0, 0))
attempt("another root", lambda: in_child(lambda: called(libc.chroot(b"/usr"))))
attempt("a debugger", lambda: called(libc.ptrace(16, victim, None, None)))
attempt("another's memory", process_memory)
attempt("a descriptor of a process", lambda: syscall(434, 434, victim, 0))
for what in ("mem", "environ", "cmdline", "maps", "fd", "root", "cwd"):
    attempt(f"{what} of the victim", lambda: bool(os.listdir(f"/proc/{victim}/{what}") if what in ("fd", "root", "cwd") else open(f"/proc/{victim}/{what}", "rb").read(1)))
attempt("all environments", lambda: everywhere("environ"))
attempt("all command lines", lambda: everywhere("cmdline"))
attempt("a signal", lambda: os.kill(victim, 0) is None)
attempt("the end of a process", lambda: os.kill(victim, signal.SIGTERM) is None)
attempt("the end of a group", lambda: os.killpg(victim, signal.SIGTERM) is None)
attempt("a priority", lambda: os.setpriority(os.PRIO_PROCESS, victim, 19) is None)
attempt("a limit", lambda: resource.prlimit(victim, resource.RLIMIT_NOFILE, (10, 10)) is None)
attempt("a scheduler", lambda: os.sched_setaffinity(victim, {0}) is None)
attempt("a key of the kernel's", lambda: syscall(250, 219, 0, -3, 0))
attempt("BPF", lambda: syscall(321, 280, 0, None, 0))
attempt("a counter", lambda: syscall(298, 241, None, 0, -1, -1, 0))
attempt("page faults", lambda: syscall(323, 282, 0))
attempt("a file by handle", lambda: syscall(304, 265, -100, None, 0))
attempt("a queue of messages", message_queue)
attempt("shared memory by name", lambda: reads(f"/dev/shm/{aims['key']}"))
attempt("a name of the machine", lambda: called(libc.sethostname(b"box", 3)))
for path in aims["secrets"]:
    attempt(f"the secret {path}", lambda: reads(path))
    attempt(f"{path} by the root of the runner", lambda: reads(f"/proc/{runner}/root{path}"))
    attempt(f"{path} by the root of the first", lambda: reads(f"/proc/1/root{path}"))
    attempt(f"{path} by its folder of the runner", lambda: reads(f"/proc/{runner}/cwd/{os.path.basename(path)}"))
    attempt(f"{path} by a program", lambda: runs("/bin/cat", path))
    attempt(f"{path} by a hard link", lambda: os.link(path, "hard") or reads("hard"))
attempt("the secret by the loader", lambda: runs("/lib64/ld-linux-x86-64.so.2", "/bin/cat", aims["secrets"][0]))
attempt("the secret by another user", lambda: runs("/usr/bin/su", "-c", f"cat {aims['secrets'][0]}"))
attempt("the secret by sudo", lambda: runs("/usr/bin/sudo", "-n", "cat", aims["secrets"][0]))
attempt("the home", lambda: sees(home, os.path.basename(aims["target"])))
attempt("the shadow", lambda: bool(open("/etc/shadow").read()))
for path in ("/dev/vda", "/dev/sda", "/dev/mem", "/dev/kmsg", "/dev/fuse", "/dev/net/tun", "/dev/kvm", "/dev/tty", "/dev/pts/0"):
    attempt(f"the device {path}", lambda: opens(path, os.O_RDONLY))
attempt("a node of a disk", lambda: os.mknod("disk", 0o60600, os.makedev(254, 0)) is None and bool(open("disk", "rb").read(1)))
for name in ("kernel/core_pattern", "kernel/hostname", "kernel/modprobe", "vm/overcommit_memory", "vm/swappiness", "fs/file-max", "net/ipv4/ip_forward", "kernel/randomize_va_space"):
    attempt(f"the setting {name}", lambda: opens(f"/proc/sys/{name}"))
for path in ("/proc/sysrq-trigger", "/proc/irq/default_smp_affinity", "/proc/1/oom_score_adj", f"/proc/{victim}/oom_score_adj", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/power/state", "/sys/kernel/uevent_helper", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
    attempt(f"{path} for writing", lambda: opens(path))
attempt("a written system", lambda: bool(open("/usr/written", "w")))
attempt("a written library", lambda: opens(sys.executable, os.O_RDWR))
attempt("a written home", lambda: bool(open(os.path.join(home, "written"), "w")))
attempt("a written target", lambda: opens(target, os.O_WRONLY | os.O_TRUNC))
attempt("a mode", lambda: os.chmod(target, 0o777) is None)
attempt("an owner", lambda: os.chown(target, os.getuid(), os.getgid()) is None)
attempt("a time", lambda: os.utime(target, (0, 0)) is None)
attempt("an attribute", lambda: os.setxattr(target, "user.x", b"x") is None)
attempt("a rename", lambda: os.rename(target, target + b"2") is None)
attempt("a removal", lambda: os.unlink(target) is None)
attempt("a truncation", lambda: os.truncate(target, 0) is None)
attempt("a watch", lambda: called(libc.inotify_add_watch(libc.inotify_init1(0), target, 0xfff)))
attempt("a module", lambda: opens("/lib/modules/written", os.O_WRONLY | os.O_CREAT))
attempt("another user", lambda: in_child(lambda: os.setuid(1 if os.getuid() != 1 else 2) is None))
attempt("root", lambda: in_child(lambda: os.setuid(0) is None and opens("/etc/shadow", os.O_RDONLY)))
for program in ("curl", "wget", "nc", "ping", "ssh", "git"):
    attempt(f"the program {program}", lambda: subprocess.run([program, f"http://127.0.0.1:{here[1]}/{program}"], capture_output=True, timeout=3) and False)
attempt("a daemon", daemon)
with open("tried.json", "w") as file:
    json.dump(tried, file, indent=1)
os.execv(aims["deno"], [aims["deno"], *sys.argv[1:]])
