/**
 * Program of the box, for `python3 -I`: shuts itself in, tries to get out, and runs a notebook once it is told to.
 *
 * Its input is a line with its settings, and a second one when the attempts failed. It answers with a line for either. Only
 * Python's own library and libc are used until it is shut in. Numbers of system calls are those of x86_64 and aarch64.
 */
export const BOX_PROGRAM = String.raw`
import ctypes, fcntl, json, os, platform, socket, struct, subprocess, sys
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
    "socket": (41, 198), "sendto": (44, 206), "sendmsg": (46, 211), "sendmmsg": (307, 269), "setsockopt": (54, 208),
    "socketpair": (53, 199), "clone": (56, 220), "clone3": (435, 435), "pivot_root": (155, 41), "capset": (126, 91),
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

def mount(source, target, kind=None, flags=0):
    checked(libc.mount(text(source), text(target), text(kind), ctypes.c_ulong(flags), None), "mount " + target)

def write(path, content):
    with open(path, "w") as file:
        file.write(content)

# A namespace of each kind, and a root that has nothing but what is named.
def enter_namespaces():
    uid, gid = os.getuid(), os.getgid()
    checked(libc.unshare(0x10000000 | 0x20000 | 0x40000000 | 0x20000000 | 0x8000000 | 0x4000000), "unshare")
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"{uid} {uid} 1")
    write("/proc/self/gid_map", f"{gid} {gid} 1")
    child = os.fork()
    if child:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)
    prctl(1, 9)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as it:
        fcntl.ioctl(it, 0x8914, struct.pack("16sh22x", b"lo", 1))
    mount(None, "/", None, 0x4000 | 0x40000)
    root = given["mountPoint"]
    mount("tmpfs", root, "tmpfs", 2 | 4)
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
            attributes = struct.pack("QQQQ", 1 | 2, 0, 0, 0)
            syscall("mount_setattr", -100, text(target), 0x8000, attributes, ctypes.c_size_t(32))
    for name in ("/proc", "/tmp", "/dev/shm"):
        os.makedirs(root + name, exist_ok=True)
    mount("proc", root + "/proc", "proc", 2 | 4 | 8)
    os.chdir(root)
    syscall("pivot_root", b".", b".")
    checked(libc.umount2(b".", 2), "umount")
    os.chdir("/")

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
    def options():
        argument(1)
        add(EQUAL, 6, 0, 5)
        argument(2)
        for option in (30, 31):
            add(EQUAL, option, 0, 1)
            add(END, DENY)
    on("socket", sockets)
    on("setsockopt", options)
    on("socketpair", lambda: only(0, (1,)))
    on("clone", lambda: deny_bits(0, 0x7e020000))
    on("sendto", lambda: deny_bits(3, 0x20000000))
    on("sendmsg", lambda: deny_bits(2, 0x20000000))
    on("sendmmsg", lambda: deny_bits(3, 0x20000000))
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
    ways = {"TCP": tcp, "UDP": udp, "a socket by path": path, "a program": program, "a file of the home": file}
    return {name: tried(way) for name, way in ways.items()}

def main():
    if LINUX:
        prctl(1, 9)
    sys.path += given["packages"]
    if given["tier"] == "namespaces":
        enter_namespaces()
    if given["isFiltered"]:
        drop_capabilities()
        filter_calls()
    if LINUX:
        prctl(4, 0)
    os.chdir(given["folder"])
    ways = try_to_get_out()
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    notebook = nbformat.from_dict(given["notebook"])
    for cell in notebook.cells:
        cell.setdefault("metadata", {})
        cell.source = "".join(cell.source)
    client = NotebookClient(
        notebook, kernel_name="scoreframe-study", timeout=given["timeoutS"], startup_timeout=600, allow_errors=True,
        resources={"metadata": {"path": given["cwd"]}},
    )
    client.create_kernel_manager()
    client.km.cache_ports = False
    names = ("shell_port", "iopub_port", "stdin_port", "hb_port", "control_port")
    for name, port in zip(names, given["ports"]):
        setattr(client.km, name, port)
    watched = given["watched"]
    def state():
        try:
            with open(watched, "rb") as file:
                return file.read()
        except OSError:
            return None
    ended, rewritten, before = None, [], state()
    # A kernel does not see that its client was killed; the kernel of the system ends it then.
    with client.setup_kernel(**({"preexec_fn": lambda: prctl(1, 9)} if LINUX else {})):
        for i, cell in enumerate(notebook.cells):
            try:
                client.execute_cell(cell, i)
            except CellTimeoutError:
                ended = {"cell": i, "why": "timeout"}
            except (DeadKernelError, RuntimeError):
                ended = {"cell": i, "why": "died"}
            if i == 0:
                try:
                    with open(given["attempts"]) as file:
                        ways.update(json.load(file))
                except OSError:
                    raise OSError("the kernel did not start: " + json.dumps(cell.outputs)[:500]) from None
                answer(ways)
                if sys.stdin.readline() != "go\n":
                    return
            now = state()
            if now != before:
                rewritten.append(i)
                before = now
            if ended is not None:
                break
    answer({**notebook, "ended": ended, "rewritten": rewritten})

main()
`;
