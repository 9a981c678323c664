# Native code in the box: each attempt ends with REACHED only if it did what the box must forbid.
import ctypes, json, os, signal, socket, struct, subprocess, sys
aims = json.load(open("aims.json"))
libc = ctypes.CDLL(None, use_errno=True)
here = ("127.0.0.1", aims["port"])
tried = {}

def attempt(name, work):
    try:
        tried[name] = "REACHED" if work() else "closed"
    except BaseException as error:
        tried[name] = repr(error)[:100]

def called(result):
    return result >= 0

def send(family, kind, protocol=0, address=here):
    with socket.socket(family, kind, protocol) as it:
        it.settimeout(3)
        it.connect(address)
        it.sendall(b"native")
    return True

def fast_open(call):
    def work():
        with socket.socket() as it:
            it.settimeout(3)
            if call == "sendto":
                it.sendto(b"fast", 0x20000000, here)
            elif call == "sendmsg":
                it.sendmsg([b"fast"], [], 0x20000000, here)
            else:
                it.setsockopt(6, 30, 1)
                it.connect(here)
                it.sendall(b"fast")
        return True
    return work

def udp(family, host):
    def work():
        with socket.socket(family, socket.SOCK_DGRAM) as it:
            it.sendto(b"native", (host, aims["udp"]))
        return True
    return work

def reads(path):
    def work():
        with open(path, "rb") as file:
            content = file.read()
        return aims["key"].encode() in content or b"the secret" in content
    return work

def runs(*command):
    def work():
        ended = subprocess.run(command, capture_output=True, timeout=10)
        return b"the secret" in ended.stdout
    return work

def process_memory():
    import ctypes
    buffer = ctypes.create_string_buffer(8)
    local = struct.pack("QQ", ctypes.addressof(buffer), 8)
    remote = struct.pack("QQ", 0x400000, 8)
    return called(libc.process_vm_readv(aims["parent"], local, 1, remote, 1, 0))

def environments():
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if aims["key"].encode() in file.read():
                        return True
            except OSError:
                pass
    return False

def abstract():
    with socket.socket(socket.AF_UNIX) as it:
        it.connect("\0anything")
    return True

x86 = os.uname().machine == "x86_64"
attempt("TCP", lambda: send(socket.AF_INET, socket.SOCK_STREAM))
attempt("TCP of version 6", lambda: send(socket.AF_INET6, socket.SOCK_STREAM, 0, ("::ffff:127.0.0.1", aims["port"])))
attempt("TCP to another address of this machine", lambda: send(socket.AF_INET, socket.SOCK_STREAM, 0, ("127.0.0.2", aims["port"])))
attempt("TCP to every address", lambda: send(socket.AF_INET, socket.SOCK_STREAM, 0, ("0.0.0.0", aims["port"])))
attempt("MPTCP", lambda: send(socket.AF_INET, socket.SOCK_STREAM, 262))
attempt("SCTP", lambda: send(socket.AF_INET, socket.SOCK_STREAM, 132))
attempt("SMC", lambda: send(43, socket.SOCK_STREAM))
attempt("fast open by sendto", fast_open("sendto"))
attempt("fast open by sendmsg", fast_open("sendmsg"))
attempt("fast open by connect", fast_open("connect"))
attempt("UDP", udp(socket.AF_INET, "127.0.0.1"))
attempt("UDP of version 6", udp(socket.AF_INET6, "::ffff:127.0.0.1"))
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).sendto(b"x", ("127.0.0.1", 0)))
attempt("packets", lambda: socket.socket(17, socket.SOCK_RAW))
attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
attempt("netlink of the firewall", lambda: socket.socket(16, socket.SOCK_RAW, 12))
attempt("netlink of the audit", lambda: socket.socket(16, socket.SOCK_RAW, 9))
attempt("bluetooth", lambda: socket.socket(31, socket.SOCK_STREAM, 3))
attempt("kernel crypto", lambda: socket.socket(38, 5))
attempt("a socket by path", lambda: socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock") is None)
attempt("an abstract socket", abstract)
attempt("io_uring", lambda: called(libc.syscall(425, 8, ctypes.create_string_buffer(120))))
attempt("a user namespace", lambda: called(libc.unshare(0x10000000)))
attempt("a network namespace", lambda: called(libc.unshare(0x40000000)))
attempt("another's namespace", lambda: called(libc.setns(os.open(f"/proc/{aims['parent']}/ns/net", os.O_RDONLY), 0)))
attempt("a mount", lambda: called(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None)))
attempt("a writable system", lambda: called(libc.mount(None, b"/usr", None, 0x1000 | 0x20, None)))
attempt("an unmount", lambda: called(libc.umount2(b"/usr", 2)))
attempt("another root", lambda: called(libc.chroot(b"/usr")))
attempt("a debugger", lambda: called(libc.ptrace(16, aims["parent"], None, None)))
attempt("another's memory", process_memory)
attempt("another's file of memory", lambda: bool(open(f"/proc/{aims['parent']}/mem", "rb")))
attempt("another's files", lambda: bool(os.listdir(f"/proc/{aims['parent']}/fd")) and os.readlink(f"/proc/{aims['parent']}/fd/1"))
attempt("an environment", reads(f"/proc/{aims['parent']}/environ"))
attempt("all environments", environments)
attempt("a signal", lambda: os.kill(aims["parent"], 0) is None)
attempt("a key of the kernel's", lambda: called(libc.syscall(250 if x86 else 219, 0, -3, 0)))
attempt("BPF", lambda: called(libc.syscall(321 if x86 else 280, 0, None, 0)))
attempt("a counter", lambda: called(libc.syscall(298 if x86 else 241, None, 0, -1, -1, 0)))
attempt("a file by handle", lambda: called(libc.syscall(304 if x86 else 265, -100, None, 0)))
attempt("the secret", reads(aims["secret"]))
attempt("the secret by the root of another", reads(f"/proc/{aims['parent']}/root{aims['secret']}"))
attempt("the secret by the root of the first", reads(f"/proc/1/root{aims['secret']}"))
attempt("the secret by a program", runs("/bin/cat", aims["secret"]))
attempt("the secret by the loader", runs("/lib64/ld-linux-x86-64.so.2", "/bin/cat", aims["secret"]))
attempt("the secret by a link", lambda: os.symlink(aims["secret"], "link") or reads("link")())
attempt("the secret by a hard link", lambda: os.link(aims["secret"], "hard") or reads("hard")())
attempt("the shadow", lambda: bool(open("/etc/shadow").read()))
attempt("a disk", lambda: bool(os.open("/dev/vda", os.O_RDONLY)))
attempt("a node of a disk", lambda: os.mknod("disk", 0o60600, os.makedev(254, 0)) is None and bool(open("disk", "rb").read(1)))
attempt("the memory of the machine", lambda: bool(os.open("/dev/mem", os.O_RDONLY)))
attempt("a written system", lambda: bool(open("/usr/written", "w")))
attempt("a written home", lambda: bool(open(aims["secret"] + "2", "w")))
attempt("a curl", lambda: subprocess.run(["curl", "-m", "3", f"http://127.0.0.1:{here[1]}"], capture_output=True).returncode == 0)
with open("tried.json", "w") as file:
    json.dump(tried, file, indent=1)
os.execv(aims["deno"], [aims["deno"], *sys.argv[1:]])
