"""Every hash of a study in one FOLDER, by the format in docs/studies.md: python3 study_hashes.py FOLDER."""
import csv, gzip, hashlib, json, re, struct, sys
from pathlib import Path

CHECK = """factor score_name universe factor_version snapshot_id calculated_at last_checked_at data_through
status prices_through coverage""".split()
COVERAGE = """tickers price_tickers_current price_tickers_tracked pending_calls failed_calls scored_tickers
pending_factor_calls""".split()
RELEASE = """factor factor_version first_session last_session window_years window_start window_end sessions tickers
rows scored_rows missing_rows availability universe download_sha256 source_sha256""".split()

folder = Path(sys.argv[1])
store = folder / "store"
wrong, compared = [], 0


def regular(path):
    if path.is_symlink() or path.exists() and not path.is_file():
        sys.exit(f"{path}: expected a regular file")
    return path


def sha256(data):
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def expect(what, required, found):
    global compared
    compared += 1
    if required != found:
        wrong.append(f"{what}: expected {required}, got {found}")


def sealed(path):
    content = regular(path).read_bytes().decode().replace("\r\n", "\n")
    found = re.search(r',\s*"sha256": "([0-9a-f]{64})"\n\}\n$', content)
    if found or is_sealed:
        expect(f"seal of {path.name}", found and found[1], sha256(content[: found.start()] if found else ""))
    return json.loads(content)


def of_file(path):
    return sha256(regular(path).read_bytes()) if path.exists() else "no such file"


def said(source, names):
    fields = {name: source[name] for name in names if source.get(name) is not None}
    if "coverage" in fields:
        coverage = fields["coverage"]
        fields["coverage"] = {name: coverage[name] for name in COVERAGE if name in coverage}
    fields["synthetic"] = source.get("synthetic") is True
    return sha256(json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


def set_path(line):
    return store / line["factor"] / "sets" / f"{line['snapshot_id']}.json"


def unpacked(path):
    packed = path.with_name(path.name + ".gz")
    return gzip.decompress(regular(packed).read_bytes()) if packed.exists() else regular(path).read_bytes()


def of_factor(factor):
    return [file["check"] for file in checks.values() if file["check"]["factor"] == factor]


def numbers(header, rows):
    digest = hashlib.sha256((",".join(header) + "\n").encode())
    for *key, score in sorted(rows, key=lambda row: [cell.encode() for cell in row[:-1]]):
        digest.update("".join(key).encode() + b"\0")
        digest.update(b"\0" if score in ("", None) else b"\1" + struct.pack(">d", float(score) + 0.0))
    return digest.hexdigest()


def once(pairs):
    expect("names of an object", len(pairs), len(dict(pairs)))
    return dict(pairs)


def same(what, line, **facts):
    for name, found in facts.items():
        expect(f"{name} of {what}", line.get(name), found)


# The lists of the format, and the seals, over the lines as they stand in the file.
text = regular(folder / "study.lock.json").read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
lock = json.loads(text, object_pairs_hook=once)
lines = text.split("\n")
parts = {"head": [], "sets": [], "views": [], "absences": [], "releases": []}
parts |= {"inputs": []} if lock["format"] in (2, 3) else {}
parts |= {"registered": []} if lock["format"] == 3 else {}
expect("format", True, lock["format"] in (1, 2, 3))
for name in ("inputs", "registered"):
    expect(f"list {name}", name in parts, name in lock)
expect("registered tests", lock["format"] == 3, bool(lock.get("registered")))
expect("names of the seals", sorted(parts), sorted(lock["seal"]))
current = None
for line in lines:
    plain = line.removesuffix(",")
    name = re.match(r'"(\w+)": ', line)
    if name and (name[1] in ("as_of", "service", "world", "synthetic") or plain == '"format": 3'):
        parts["head"].append(plain)
    elif name:
        current = name[1] if line.endswith("[") else None
    elif current in parts and line.startswith(" "):
        expect("a line that does not repeat", False, plain[1:] in parts[current])
        parts[current].append(plain[1:])
for name, seal in lock["seal"].items():
    own = sorted(parts[name])
    expect(f"seal of {name}", seal, f"{len(own)} {sha256(chr(10).join(own))[:16]}")

# The files of the store.
checks, views = {}, {}
about = json.loads(regular(store / "store.json").read_text())
is_sealed = "sha256" in about
if is_sealed:
    sealed(store / "store.json")
else:
    print("store.json: without seals")
for factor in ("ecpnd", "ecqdi"):
    for path in sorted((store / factor / "checks").glob("[!.]*.json")):
        file = sealed(path)
        check = file["check"]
        compact = json.dumps(check, separators=(",", ":"), ensure_ascii=False)
        name = check["last_checked_at"].replace(":", "-") + "--" + sha256(compact)[:12]
        expect(path.name, path.stem, name)
        expect(f"factor of {path.name}", factor, check["factor"])
        checks[said(check, CHECK)] = {**file, "name": path.name}
        own = set_path(check)
        is_there = own.exists() or own.with_name(own.name + ".gz").exists()
        content = json.loads(unpacked(own)) if is_there else check
        same(path.name, check, **{name: content[name] for name in ("snapshot_id", "calculated_at", "factor_version")})
    for path in sorted((store / factor / "views").glob("[!.]*.json")):
        view = json.loads(regular(path).read_text())
        expect(path.name, path.stem, view["at"].replace(":", "-"))
        expect(f"check of {path.name}", True, (store / factor / "checks" / view["check"]).is_file())
        times = [check["last_checked_at"] for check in of_factor(factor) if check["last_checked_at"] <= view["at"]]
        expect(f"latest check of {path.name}", max(times, default="").replace(":", "-"), view["check"].split("--")[0])
        views.setdefault(factor, []).append((view["at"], view["check"]))
    for path in sorted((store / factor / "sets").glob("[!.]*.json*")):
        raw = regular(path).read_bytes()
        content = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode().replace("\r\n", "\n")
        body, _, end = content.rpartition(',"sha256":"')
        expect(path.name, end[:64], sha256(body))
        found = json.loads(content)
        expect(path.name, (path.name.split(".")[0], factor), (found["snapshot_id"], found["factor"]))
        tickers = [row["ticker"] for row in found["scores"]]
        expect(f"tickers of {path.name}", sorted(set(tickers), key=lambda it: it.encode("utf-16-be")), tickers)

# The lines of the lock.
named = {(line["factor"], line["snapshot_id"]): line for line in lock["sets"]}
seen = {(line["factor"], line["snapshot_id"]) for line in lock["views"]}
expect("sets of the views", sorted(seen), sorted(named))
for line in lock["sets"]:
    content = json.loads(unpacked(set_path(line)))
    score = content["score_name"]
    rows = [(row["ticker"], row[score]) for row in content["scores"]]
    what = f"the set {line['snapshot_id']}"
    same(what, line, numbers=numbers(("ticker", score), rows), tickers=len(rows), scored=sum(row[1] is not None for row in rows))
    same(what, line, **{name: content[name] for name in ("calculated_at", "factor_version")})
    expect(f"time of {what}", True, line["calculated_at"] <= lock["as_of"])
for line in lock["views"]:
    what = f"check of {line['factor']} at {line['at']}"
    expect(f"time of the {what}", True, line["at"] <= lock["as_of"])
    if "check" not in line:
        continue
    file = checks.get(line["check"], {"check": {}, "name": ""})
    check = file["check"]
    expect(what, line["retrieved_at"], file.get("retrieved_at"))
    same(what, line, snapshot_id=check.get("snapshot_id"), factor=check.get("factor"))
    same(what, named.get((line["factor"], line["snapshot_id"]), {}), universe=check.get("universe"))
    if "last_checked_at" not in line:
        expect(f"set in force of the {what}", True, check.get("calculated_at", "~") <= line["at"])
        continue
    same(what, line, **{name: check.get(name) for name in ("last_checked_at", "data_through", "status")})
    later = [at for at, name in views.get(line["factor"], []) if name == file["name"] and at >= line["at"]]
    expect(f"proof of the {what}", True, bool(later) and check.get("last_checked_at", "~") <= line["at"])
for line in lock["absences"]:
    known = [check["last_checked_at"] for check in of_factor(line["factor"])]
    known += [each["calculated_at"] for each in lock["sets"] if each["factor"] == line["factor"]]
    expect(f"no {line['factor']} at {line['at']}", [], [at for at in known if at <= line["at"]])
synthetic = [file["check"].get("synthetic") is True for file in checks.values()]
for check in [file["check"] for file in checks.values()]:
    required = ((lock.get("world") or {}).get("factorVersions") or {}).get(check["factor"], check["factor_version"])
    expect("version of the world", required, check["factor_version"])
for factor in ("ecpnd", "ecqdi"):
    defaults = sum(line["default"] for line in lock["releases"] if line["factor"] == factor)
    expect(f"default releases of {factor}", True, defaults < 2)
for line in lock["releases"]:
    place = store / line["factor"] / "releases" / line["download_sha256"]
    metadata = sealed(sorted(place.glob("release*.json"), key=lambda path: (path.name != "release.json", path.name))[-1])
    expect(f"metadata of {place.name}", line.get("metadata"), said(metadata["release"], RELEASE))
    expect(f"time of {place.name}", line.get("retrieved_at"), metadata["available_from"])
    expect(f"file of {place.name}", line["download_sha256"], of_file(place / "history.csv.gz"))
    expect(f"name of {place.name}", line["download_sha256"], metadata["release"]["download_sha256"])
    expect(f"size of {place.name}", metadata["size_bytes"], (place / "history.csv.gz").stat().st_size)
    with gzip.open(place / "history.csv.gz", "rt", newline="") as file:
        header, *rows = csv.reader(file)
    dates = [row[0] for row in rows]
    same(place.name, line, numbers=numbers(header, rows), rows=len(rows), scored=sum(row[-1] != "" for row in rows))
    same(place.name, line, sessions=len(set(dates)), first_session=min(dates, default=None))
    same(place.name, line, last_session=max(dates, default=None))
    same(place.name, line, **{name: metadata["release"].get(name) for name in ("factor_version", "universe", "availability")})
    same(place.name, metadata["release"], rows=len(rows), sessions=len(set(dates)))
    expect(f"time of {place.name}", True, (line["last_session"] or "") <= lock["as_of"][:10])
    synthetic.append(metadata["release"].get("synthetic") is True)
expect("synthetic", True, lock["synthetic"] is True or True not in synthetic)
expect("synthetic world", False, lock.get("world") is not None and lock["synthetic"] is False)
for line in lock.get("inputs", []):
    expect(line["path"], line["sha256"], of_file(folder / line["path"]))

# The registered tests: each line has its own hash, and those of the lines before it.
entries = [json.loads(line) for line in parts.get("registered", [])]
written = {entry["sha256"] for entry in entries}
for line, entry in zip(parts.get("registered", []), entries):
    expect(f"{entry['kind']} of {entry['name']}", entry["sha256"], sha256(line.rpartition(',"sha256":"')[0]))
    before = entry["before"] if isinstance(entry["before"], list) else [entry["before"]]
    expect(f"lines before the {entry['kind']} of {entry['name']}", [], [sha for sha in before if sha and sha not in written])
by_hash = {entry["sha256"]: entry for entry in entries}
order = {entry["sha256"]: i for i, entry in enumerate(sorted(entries, key=lambda entry: entry["at"]))}
prices = {line["path"]: line["sha256"] for line in lock.get("inputs", [])}
released = [(line["factor"], line["download_sha256"]) for line in lock["releases"]]
plans = [entry for entry in entries if entry["kind"] == "plan"]
looks = sorted((entry for entry in entries if entry["kind"] == "look"), key=lambda entry: order[entry["sha256"]])
expect("names of plans", len({json.dumps({**plan, "at": 0, "before": 0, "sha256": 0, "loaded_before": 0, "looks_before": 0}) for plan in plans}), len({plan["name"] for plan in plans}))
for plan in plans:
    what = f"the plan {plan['name']}"
    before = [look for look in looks if order[look["sha256"]] < order[plan["sha256"]] and look["last"] >= plan["hold_out_from"]]
    expect(f"looks before {what}", plan["looks_before"], len(before))
    expect(f"prices of {what}", True, plan["prices"] is None or plan["prices"] in prices)
    ends = [period["to"] or period["from"] or "" for period in plan["periods"].values()]
    expect(f"periods of {what}", True, max(ends) < plan["hold_out_from"])
    expect(f"horizons of {what}", sorted({max(1, days) for days in plan["horizons"]}), plan["horizons"])
    own = [look for look in looks if look["of"] == plan["sha256"]]
    expect(f"numbers of the looks of {what}", list(range(1, len(own) + 1)), [look["number"] for look in own])
    if own and own[-1]["as_of"] == lock["as_of"]:
        pinned = set(prices.values()) if plan["prices"] is None else {prices.get(plan["prices"])}
        expect(f"prices of the last look of {what}", True, own[-1]["prices"] in pinned)
for look in looks:
    plan = by_hash.get(look["of"], {"name": None, "hold_out_from": "", "scores": "", "factor": ""})
    what = f"the look {look['number']} of {look['name']}"
    expect(f"plan of {what}", look["name"], plan["name"])
    expect(f"order of {what}", True, order.get(look["of"], -1) < order[look["sha256"]])
    expect(f"sessions of {what}", True, plan["hold_out_from"] <= look["first"] <= look["last"] <= look["as_of"][:10])
    expect(f"time of {what}", True, look["as_of"] <= lock["as_of"])
    expect(f"release of {what}", plan["scores"] == "panel", look["release"] is None)
    expect(f"release of {what} in the lock", True, look["release"] is None or (plan["factor"], look["release"]) in released)
answered = []
for entry in entries:
    if entry["kind"] == "result":
        look = by_hash.get(entry["of"], {"number": None, "name": None, "of": None})
        what = f"the result {entry['number']} of {entry['name']}"
        expect(f"look of {what}", (entry["number"], entry["name"]), (look["number"], look["name"]))
        expect(f"order of {what}", True, order.get(entry["of"], -1) < order[entry["sha256"]])
        expect(f"one result of its look, {what}", False, entry["of"] in answered)
        answered.append(entry["of"])
        plan = by_hash.get(look["of"], {"periods": [], "horizons": []})
        planned = [(sample, days) for sample in [*plan["periods"], "hold-out"] for days in plan["horizons"]]
        expect(f"numbers of {what}", planned, [(number["sample"], number["horizon"]) for number in entry["numbers"]])
        for number in entry["numbers"]:
            ic = number["mean_ic"] or 0
            low, high = number["low"], number["high"]
            possible = abs(ic) <= 1 and (ic if low is None else low) <= ic <= (ic if high is None else high)
            expect(f"range of {what}", True, possible and 0 <= (number["p"] or 0) <= 1)

# The manifest of an export: no number depends on a file outside of the store.
manifest = regular(folder / "manifest-sha256.txt")
for line in manifest.read_text().splitlines() if manifest.exists() else []:
    path, sha = line[66:], line[:64]
    found = of_file(folder / path)
    if path.startswith("store/") and "/sets/" not in path and found != "no such file":
        expect(path, sha, found)
    elif path not in prices and path != "study.lock.json" and found != sha:
        print(f"{path}: edited or removed since the export")
for path in [*folder.glob("*.sig"), *store.glob("*/sets/*.tar")]:
    regular(path)

print("\n".join(wrong) or f"{compared} hashes, each as it should be")
sys.exit(1 if wrong else 0)
