"""Sends many cells at once to a Deno kernel, as "Run all cells" does, and counts where their outputs arrive.

Arguments: kernel, working directory, code of the first cell, number of cells. Each cell shows its own number, as a plain
value, after an await, by console.log, or in an object. Prints counts as JSON: lost (no cell shows it), late (after the
cell said "idle", where an unattended reader has stopped), misplaced (under another cell).
"""
import json, re, sys, time
from jupyter_client.manager import KernelManager

name, cwd, first, count = sys.argv[1:4] + [int(sys.argv[4])]
FORMS = ["{0}", "await Promise.resolve({0})", "console.log({0})", "({{ cell: {0} }})"]

manager = KernelManager(kernel_name=name)
manager.start_kernel(cwd=cwd)
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=300)
client.execute_interactive(first, timeout=600, output_hook=lambda message: None)

number_of = {}
for number in range(1000, 1000 + count):
    number_of[client.execute(FORMS[number % len(FORMS)].format(number))] = number

placed, late, misplaced, idle = set(), 0, 0, set()
quiet_since = None
while quiet_since is None or time.time() - quiet_since < 3:
    try:
        message = client.get_iopub_msg(timeout=1)
    except Exception:
        if len(idle) == count and quiet_since is None:
            quiet_since = time.time()
        continue
    own = number_of.get(message["parent_header"].get("msg_id"))
    kind, content = message["msg_type"], message["content"]
    if kind == "status" and content["execution_state"] == "idle" and own is not None:
        idle.add(own)
        if len(idle) == count:
            quiet_since = time.time()
    shown = content.get("text", "") if kind == "stream" else content.get("data", {}).get("text/plain", "")
    for number in map(int, re.findall(r"\d{4,}", re.sub(r"\x1b\[[0-9;]*m", "", str(shown)))):
        if own != number:
            misplaced += 1
        else:
            placed.add(number)
            late += own in idle

print(json.dumps({"lost": count - len(placed) - misplaced, "late": late, "misplaced": misplaced}))
client.stop_channels()
manager.shutdown_kernel(now=True)
