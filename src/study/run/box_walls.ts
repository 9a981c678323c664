/**
 * First part of the box's program, for `python3 -I`: shuts itself in, and tries to get out.
 *
 * Its input is a line with its settings. Only Python's own library and libc are used. Numbers of system calls are those of x86_64
 * and aarch64.
 */
export const BOX_WALLS = String.raw`
import ctypes, fcntl, json, os, platform, pwd, socket, struct, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
LINUX = sys.platform == "linux"
if LINUX:
    libc.syscall.restype = ctypes.c_long
given = json.loads(sys.stdin.readline())
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

def answer(value):
    answers.write(json.dumps(value) + "\n")
    answers.flush()

INTEL = platform.machine() == "x86_64"
CALLS = {
    "socket": (41, 198), "socketpair": (53, 199), "clone": (56, 220), "clone3": (435, 435), "pivot_root": (155, 41), "capset": (126, 91),
    "mount_setattr": (442, 442),
}
# What reads other processes, makes namespaces and mounts, or does the work of the calls that are filtered.
FORBIDDEN = [
    (101, 117), (310, 270), (311, 271), (425, 425), (426, 426), (427, 427), (272, 97), (308, 268), (165, 40), (166, 39),
    (155, 41), (161, 51), (428, 428), (429, 429), (430, 430), (431, 431), (432, 432), (433, 433), (442, 442), (248, 217),
    (249, 218), (250, 219), (321, 280), (298, 241), (323, 282), (303, 264), (304, 265), (438, 438), (246, 104), (175, 105),
    (313, 273), (440, 440),
]

def number(name):
    return CALLS[name][0 if INTEL else 1]

def checked(result, what):
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, what + ": " + os.strerror(code))
    return result

def syscall(name, *values):
    return checked(libc.syscall(ctypes.c_long(number(name)), *values), name)

def prctl(option, value=0):
    return libc.prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))

def text(value):
    return None if value is None else os.fsencode(value)

def mount(source, target, kind=None, flags=0, data=None):
    checked(libc.mount(text(source), text(target), text(kind), ctypes.c_ulong(flags), text(data)), "mount " + target)

def seal(target, depth=0x8000):
    syscall("mount_setattr", -100, text(target), depth, struct.pack("QQQQ", 1 | 2, 0, 0, 0), ctypes.c_size_t(32))

def write(path, content):
    with open(path, "w") as file:
        file.write(content)

def owner(process):
    try:
        return os.stat(f"/proc/{process}").st_uid
    except FileNotFoundError:
        # It ended meanwhile.
        return None

# Of a number that no account and no process has, and that this namespace knows.
def unused_id():
    with open("/proc/self/uid_map") as file:
        known = [tuple(map(int, line.split())) for line in file]
    running = {owner(name) for name in os.listdir("/proc") if name.isdigit()}
    named = {entry.pw_uid for entry in pwd.getpwall()}
    for candidate in range(61184, 65520):
        if candidate not in running | named and any(first <= candidate < first + count for first, _, count in known):
            return candidate
    raise OSError("no unused user id")

def ended(child):
    os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)

# A namespace of each kind. What root starts becomes a user that owns nothing: files of the kernel, such as those of
# /proc/sys, belong to root whatever the namespace calls it.
def unshare_all():
    uid, gid = os.getuid(), os.getgid()
    kinds = 0x10000000 | 0x20000 | 0x40000000 | 0x20000000 | 0x8000000 | 0x4000000
    if uid != 0:
        checked(libc.unshare(kinds), "unshare")
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"{uid} {uid} 1")
        write("/proc/self/gid_map", f"{gid} {gid} 1")
        return None
    other = unused_id()
    os.setgroups([])
    for folder, folders, files in os.walk(given["folder"]):
        for name in [folder, *(os.path.join(folder, it) for it in folders + files)]:
            os.lchown(name, other, other)
    (ready, is_ready), (mapped, is_mapped) = os.pipe(), os.pipe()
    child = os.fork()
    if child:
        os.close(is_ready)
        if os.read(ready, 1):
            for name in ("uid_map", "gid_map"):
                write(f"/proc/{child}/{name}", f"0 0 1\n{other} {other} 1\n")
            os.write(is_mapped, b"1")
        ended(child)
    prctl(1, 9)
    checked(libc.unshare(kinds), "unshare")
    os.write(is_ready, b"1")
    os.close(is_mapped)
    if not os.read(mapped, 1):
        raise OSError("no map of users")
    return other

# A root that has nothing but what is named.
def enter_namespaces():
    other = unshare_all()
    child = os.fork()
    if child:
        ended(child)
    prctl(1, 9)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as it:
        fcntl.ioctl(it, 0x8914, struct.pack("16sh22x", b"lo", 1))
    mount(None, "/", None, 0x4000 | 0x40000)
    root = given["mountPoint"]
    mount("tmpfs", root, "tmpfs", 2 | 4, "mode=755")
    for name in ("/tmp", "/dev/shm"):
        os.makedirs(root + name)
        mount("tmpfs", root + name, "tmpfs", 2 | 4, "mode=1777")
    for path in given["readable"] + given["devices"] + [given["folder"]]:
        target = root + path
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.islink(path):
            if not os.path.lexists(target):
                os.symlink(os.readlink(path), target)
            continue
        if os.path.isdir(path):
            os.makedirs(target, exist_ok=True)
        elif not os.path.exists(target):
            write(target, "")
        mount(path, target, None, 0x1000 | 0x4000)
        if path in given["readable"]:
            seal(target)
    os.makedirs(root + "/proc", exist_ok=True)
    mount("proc", root + "/proc", "proc", 2 | 4 | 8)
    # No setting of the machine is written, by whomever.
    seal(root + "/proc")
    seal(root, 0)
    os.chdir(root)
    syscall("pivot_root", b".", b".")
    checked(libc.umount2(b".", 2), "umount")
    os.chdir("/")
    if other is not None:
        os.setresgid(other, other, other)
        os.setresuid(other, other, other)
        prctl(1, 9)

def drop_capabilities():
    prctl(28, 0x2f)
    for capability in range(64):
        prctl(24, capability)
    libc.syscall(ctypes.c_long(number("capset")), struct.pack("Ii", 0x20080522, 0), struct.pack("IIIIII", 0, 0, 0, 0, 0, 0))

# Sockets are TCP alone: what the namespace of the network leaves is what the kernel and its client need.
def filter_calls():
    LOAD, EQUAL, ABOVE, BITS, MASK, END = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
    ALLOW, DENY, MISSING, KILL = 0x7fff0000, 0x50001, 0x50026, 0x80000000
    code = []
    def add(op, value, yes=0, no=0):
        code.append(struct.pack("HBBI", op, yes, no, value))
    def argument(i):
        add(LOAD, 16 + 8 * i)
    def on(call, body):
        start = len(code)
        add(EQUAL, number(call))
        body()
        add(END, ALLOW)
        code[start] = struct.pack("HBBI", EQUAL, 0, len(code) - start - 1, number(call))
    def deny_bits(i, bits):
        argument(i)
        add(BITS, bits, 0, 1)
        add(END, DENY)
    def only(i, values, mask=None):
        argument(i)
        if mask is not None:
            add(MASK, mask)
        for k, value in enumerate(values):
            add(EQUAL, value, len(values) - k, 0)
        add(END, DENY)
    add(LOAD, 4)
    add(EQUAL, 0xc000003e if INTEL else 0xc00000b7, 1, 0)
    add(END, KILL)
    add(LOAD, 0)
    if INTEL:
        add(ABOVE, 0x40000000, 0, 1)
        add(END, DENY)
    for pair in FORBIDDEN:
        add(EQUAL, pair[0 if INTEL else 1], 0, 1)
        add(END, DENY)
    add(EQUAL, number("clone3"), 0, 1)
    add(END, MISSING)
    # Polars asks for the interfaces of the machine (NETLINK_ROUTE) when it loads.
    def sockets():
        argument(0)
        add(EQUAL, 16, 0, 4)
        argument(2)
        add(EQUAL, 0, 0, 1)
        add(END, ALLOW)
        add(END, DENY)
        only(0, (2, 10))
        only(1, (1,), 15)
        only(2, (0, 6))
    on("socket", sockets)
    on("socketpair", lambda: only(0, (1,)))
    on("clone", lambda: deny_bits(0, 0x7e020000))
    add(END, ALLOW)
    program = ctypes.create_string_buffer(b"".join(code))
    header = struct.pack("HxxxxxxQ", len(code), ctypes.addressof(program))
    prctl(38, 1)
    checked(libc.prctl(22, ctypes.c_ulong(2), header, ctypes.c_ulong(0), ctypes.c_ulong(0)), "seccomp")

CONNECT = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5).sendall(b'program')"

def tried(work):
    try:
        work()
        return None
    except Exception as error:
        return str(error)[:100] or type(error).__name__

# Each way out that native code has; whether one led out, the listeners outside know.
def try_to_get_out():
    def tcp():
        socket.create_connection(("127.0.0.1", given["tcp"]), 5).sendall(b"tcp")
    def udp():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as it:
            it.sendto(b"udp", ("127.0.0.1", given["udp"]))
    def path():
        with socket.socket(socket.AF_UNIX) as it:
            it.connect(given["socket"])
    def program():
        ended = subprocess.run([sys.executable, "-I", "-S", "-c", CONNECT, str(given["tcp"])], capture_output=True, text=True)
        if ended.returncode != 0:
            raise OSError(ended.stderr.strip().split("\n")[-1])
    def file():
        with open(given["secret"]) as it:
            it.read()
    def setting():
        failed = []
        for name in ("kernel/core_pattern", "kernel/hostname", "vm/overcommit_memory", "fs/file-max"):
            try:
                os.close(os.open("/proc/sys/" + name, os.O_WRONLY))
                return
            except OSError as error:
                failed.append(str(error))
        raise OSError(failed[0])
    # The way to what may be read is seen, and nothing beside it.
    def beside():
        for folder in given["hidden"]:
            seen = os.listdir(folder) if os.path.isdir(folder) else []
            places = [os.path.join(folder, name) for name in seen]
            if any(not any((known + "/").startswith(place + "/") for known in given["shown"]) for place in places):
                return
        raise OSError("nothing but what is read is there")
    ways = {"TCP": tcp, "UDP": udp, "a socket by path": path, "a program": program, "a file of the home": file}
    ways.update({"a setting of the machine": setting, "files beside the library": beside})
    return {name: tried(way) for name, way in ways.items()}
`;
