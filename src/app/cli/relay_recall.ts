import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { JournalEntry } from "../../base/contract/http/journal_entry.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { countText } from "../../base/wording/number_text.ts";
import { command, flag, text, UsageError } from "./command.ts";

/** Usage of `relay recall`. */
export const RECALL_USAGE = "relay recall (--set ID | --release SHA256) JOURNAL...";

/** `relay recall`: lists the users whom a relay answered with a set or a release, from its journals. */
export const runRelayRecall = command({
  usage: [RECALL_USAGE],
  about:
    `Lists who loaded a set or a release through the relay, how often, and when first and last. Reads the files of
--journal, which only the administrator of the relay can read; without a journal nothing is known.`,
  options: {
    set: text("ID", "the set, or the beginning of its id"),
    release: text("SHA256", "the release, or the beginning of its checksum"),
    json: flag("the result as JSON"),
  },
  words: [1, Infinity],
  async run({ values: { set, release, json }, words, terminal }) {
    const start = (set ?? release ?? "").toLowerCase();
    if (start.length < 8 || (set !== undefined && release !== undefined)) {
      throw new UsageError(
        "Cannot recall: expected --set or --release, with 8 characters or more, got " +
          (start === "" ? "none" : `${start}`),
      );
    }
    const { users, unread } = await loadsOf(words, start);
    if (json === true) terminal.out(JSON.stringify({ users, unread }, null, 1));
    else {
      terminal.out(`${countText(users.length, "user")} loaded ${start}`);
      for (const { user, loads, first, last } of users) {
        terminal.out(`  ${user}  ${countText(loads, "time")}, first ${first}, last ${last}`);
      }
      if (unread > 0) terminal.out(`not readable: ${countText(unread, "line")}`);
    }
    return users.length > 0 ? 1 : 0;
  },
});

/** The users whose answers served what an id or checksum begins with. */
async function loadsOf(paths: readonly string[], start: string) {
  const served: JournalEntry[] = [];
  let unread = 0;
  for (const path of paths) {
    await onDisk(`read ${path}`, async () => {
      for await (const line of createInterface({ input: createReadStream(path) })) {
        try {
          const entry: JournalEntry = JSON.parse(line);
          if (entry.serves?.startsWith(start) && entry.account !== null) served.push(entry);
        } catch {
          // A line may be half written.
          unread++;
        }
      }
    });
  }
  const users = [...Map.groupBy(served, ({ account }) => account!)].map(([user, entries]) => {
    const times = entries.map(({ at }) => at).toSorted();
    return { user, loads: times.length, first: times[0]!, last: times.at(-1)! };
  });
  return { users: users.toSorted((a, b) => a.user < b.user ? -1 : 1), unread };
}
