import { BOX_WALLS } from "./box_walls.ts";

/**
 * Program of the box, for `python3 -I`: shuts itself in, tries to get out, and runs a notebook once it is told to.
 *
 * Its input is a line with its settings, and a second one when the attempts failed. It answers with a line for either. From the
 * walls on it uses pyzmq, too.
 */
export const BOX_PROGRAM = String.raw`${BOX_WALLS}
import hashlib, hmac, time, uuid

# The kernel, and what of Jupyter's protocol a run needs.
class Kernel:
    def __init__(self, zmq):
        names = ("shell_port", "iopub_port", "stdin_port", "hb_port", "control_port")
        self.key = uuid.uuid4().hex
        told = dict(zip(names, given["ports"]), transport="tcp", ip="127.0.0.1", key=self.key, signature_scheme="hmac-sha256")
        path = os.path.join(given["folder"], "tmp", "kernel.json")
        write(path, json.dumps(told))
        self.session, self.zmq, context = uuid.uuid4().hex, zmq, zmq.Context()
        self.shell, self.iopub = context.socket(zmq.DEALER), context.socket(zmq.SUB)
        self.shell.linger = self.iopub.linger = 0
        self.iopub.rcvhwm = 0
        self.iopub.subscribe(b"")
        self.shell.connect(f"tcp://127.0.0.1:{told['shell_port']}")
        self.iopub.connect(f"tcp://127.0.0.1:{told['iopub_port']}")
        # A kernel does not see that its client was killed; the kernel of the system ends it then.
        more = {"preexec_fn": lambda: prctl(1, 9)} if LINUX else {}
        command = [*given["kernel"], "jupyter", "--kernel", "--conn", path]
        self.process = subprocess.Popen(command, cwd=given["cwd"], stdin=subprocess.DEVNULL, stdout=2, **more)

    def signed(self, parts):
        return hmac.new(self.key.encode(), b"".join(parts), hashlib.sha256).hexdigest().encode()

    def send(self, kind, content):
        header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "session": self.session, "username": "scoreframe"}
        header.update(date=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), version="5.3")
        parts = [json.dumps(part).encode() for part in (header, {}, {}, content)]
        self.shell.send_multipart([b"<IDS|MSG>", self.signed(parts), *parts])
        return header["msg_id"]

    # The next message of a socket: its kind, the request that it belongs to, its content.
    def received(self, socket):
        parts = socket.recv_multipart()
        at = parts.index(b"<IDS|MSG>")
        header, parent, _, content = (json.loads(part) for part in parts[at + 2:at + 6])
        return header["msg_type"], parent.get("msg_id"), content

    def waits(self, socket, seconds):
        return socket.poll(max(0, int(seconds * 1000))) != 0

    # The channel of outputs is open once it has said something.
    def start(self):
        until = time.monotonic() + 600
        while time.monotonic() < until and self.process.poll() is None:
            self.send("kernel_info_request", {})
            if self.waits(self.shell, 1) and self.waits(self.iopub, 1):
                while self.waits(self.shell, 0.2):
                    self.received(self.shell)
                return
        raise OSError("the kernel did not start")

# The cells of a notebook with the outputs of this run.
class Run:
    QUIET_S = 0.05

    def __init__(self, kernel, cells):
        self.kernel, self.cells = kernel, cells
        self.place, self.displays, self.clears, self.idle = {}, {}, set(), set()

    # A cell ends with its reply, which no code of a cell can send; a state that it is idle can be sent by anyone.
    def execute(self, i):
        cell, kernel = self.cells[i], self.kernel
        content = {"code": "".join(cell["source"]), "silent": False, "store_history": True, "user_expressions": {}}
        request = kernel.send("execute_request", {**content, "allow_stdin": False, "stop_on_error": False})
        self.place[request] = i
        until = time.monotonic() + given["timeoutS"]
        while True:
            if time.monotonic() > until:
                return "timeout"
            self.collect(0.01)
            if kernel.waits(kernel.shell, 0):
                kind, parent, reply = kernel.received(kernel.shell)
                if kind == "execute_reply" and parent == request:
                    break
            elif kernel.process.poll() is not None:
                return "died"
        self.settle(request)
        if reply.get("status") == "error" and not any(it["output_type"] == "error" for it in cell["outputs"]):
            cell["outputs"].append({"output_type": "error", "ename": reply.get("ename"), "evalue": reply.get("evalue")})
        return None

    def settle(self, request):
        until = time.monotonic() + 5
        while self.collect(self.QUIET_S) or (request not in self.idle and time.monotonic() < until):
            pass

    # Outputs belong to the cell whose request they name, even if they come late.
    def collect(self, seconds):
        if not self.kernel.waits(self.kernel.iopub, seconds):
            return False
        kind, parent, content = self.kernel.received(self.kernel.iopub)
        if kind == "status" and content.get("execution_state") == "idle":
            self.idle.add(parent)
        if parent in self.place:
            self.add(kind, self.place[parent], content)
        return True

    def add(self, kind, i, content):
        outputs, display = self.cells[i]["outputs"], (content.get("transient") or {}).get("display_id")
        if kind == "update_display_data":
            for place, output in self.displays.get(display, []):
                # What is compared is not replaced by what may vary.
                if place == i or "volatile" not in (self.cells[i].get("metadata") or {}).get("tags", []):
                    output["data"] = content.get("data", {})
            return
        if kind == "clear_output":
            self.clears.add(i) if content.get("wait") else outputs.clear()
            return
        if kind not in ("stream", "display_data", "execute_result", "error"):
            return
        if i in self.clears:
            self.clears.discard(i)
            outputs.clear()
        output = {name: content[name] for name in ("name", "text", "data", "ename", "evalue") if name in content}
        outputs.append({"output_type": kind, **output})
        if display is not None:
            self.displays.setdefault(display, []).append((i, outputs[-1]))

def state(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None

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
    import zmq
    kernel = Kernel(zmq)
    kernel.start()
    cells = [{**cell, "outputs": []} for cell in given["notebook"]["cells"]]
    run, ended, rewritten, before = Run(kernel, cells), None, [], state(given["watched"])
    for i, cell in enumerate(cells):
        why = run.execute(i) if cell["cell_type"] == "code" else None
        if why is not None:
            ended = {"cell": i, "why": why}
        if i == 0:
            tried_first = state(given["attempts"])
            if tried_first is None:
                raise OSError("the kernel did not start: " + json.dumps(cell["outputs"])[:500])
            ways.update(json.loads(tried_first))
            answer(ways)
            if sys.stdin.readline() != "go\n":
                return
        now = state(given["watched"])
        if now != before:
            rewritten.append(i)
            before = now
        if ended is not None:
            break
    while run.collect(0.2):
        pass
    kernel.process.kill()
    answer({"cells": cells, "ended": ended, "rewritten": rewritten})

main()
`;
