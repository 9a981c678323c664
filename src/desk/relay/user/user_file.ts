import { randomBytes } from "node:crypto";
import { mkdir, open, stat } from "node:fs/promises";
import { statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { KeyEnvironment } from "../../../base/contract/key.ts";
import * as z from "zod/mini";
import { aFactor, aFlag, aHash, anyText, read, valueOf } from "../../../base/contract/schema.ts";
import type { Factor } from "../../../base/contract/factor.ts";
import { describe } from "../../../base/contract/violation.ts";
import { StorageError } from "../../../base/errors.ts";
import { sha256Hex } from "../../../base/store/layout.ts";
import { readTextFile } from "../../../base/disk/files.ts";
import { onDisk } from "../../../base/disk/on_disk.ts";
import { replaceFile } from "../../../base/disk/replace_file.ts";
import { withFlight } from "../../../base/disk/with_flight.ts";

/** A user of the relay; the key itself is not stored. */
export interface RelayUser {
  /** Name, which is also the account in journal and ledger. */
  readonly name: string;
  /** SHA-256 of the key, hexadecimal. */
  readonly sha256: string;
  /** Creation of the key. */
  readonly addedAt: string;
  /** Time of revocation; `null` while it works. */
  readonly revokedAt: string | null;
  /** Limit of requests to the service in a UTC day; `null` for the account's. */
  readonly requests: number | null;
  /** Limit of downloads in a UTC day; `null` for the account's. */
  readonly downloads: number | null;
  /** True if the key may read the page of the relay. */
  readonly admin: boolean;
  /** Factors that the user may load; `null` for those of the account. */
  readonly factors: readonly Factor[] | null;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const FILE = "users.json";
const KEY_BYTES = 24;
const LONGEST_WAIT_MS = 10_000;
const aLimit = z.nullable(
  valueOf("a whole number or null", (value): value is number => Number.isSafeInteger(value)),
);
const USERS = z.looseObject({
  format: z.literal(1),
  users: z.array(z.looseObject({
    name: valueOf("a name", (value): value is string => NAME.test(String(value))),
    sha256: aHash,
    addedAt: anyText,
    revokedAt: z.nullable(anyText),
    requests: aLimit,
    downloads: aLimit,
    admin: z._default(aFlag, false),
    factors: z._default(z.nullable(z.array(aFactor)), null),
  })),
});

/** Rights of a new user. */
export type NewUser =
  & Pick<RelayUser, "name" | "requests" | "downloads" | "admin">
  & Partial<Pick<RelayUser, "factors">>;

/** Users of a relay in one file of its state folder, shared by the relay and its commands. */
export class UserFile {
  readonly #folder: string;

  /** @param folder State folder of the relay */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** All users, including revoked ones. */
  async list(): Promise<readonly RelayUser[]> {
    const text = await onDisk(`read ${this.#path}`, () => readTextFile(this.#path));
    return text === null ? [] : parseUsers(text, this.#path);
  }

  /** Identity of the file's content: the file is always replaced as a whole. */
  mark(): string {
    const status = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    return status === undefined ? "" : `${status.ino} ${status.size} ${status.mtimeNs}`;
  }

  /**
   * Adds a user.
   *
   * @returns The key, which is shown once and not stored
   * @throws {TypeError} If the name is invalid or taken
   */
  async add(user: NewUser, options: {
    readonly environment: KeyEnvironment;
    readonly now: string;
  }): Promise<string> {
    assertName(user.name);
    const kind = options.environment === "production" ? "live" : "test";
    const key = `relay_${kind}_${randomBytes(KEY_BYTES).toString("hex")}`;
    await this.#change((users) => {
      if (users.some(({ name, revokedAt }) => name === user.name && revokedAt === null)) {
        throw new TypeError(
          `Cannot add the user ${user.name}: expected a new name, got one with a valid key; revoke that key first, ` +
            "or choose another name",
        );
      }
      const added = {
        factors: null,
        ...user,
        sha256: sha256Hex(key),
        addedAt: options.now,
        revokedAt: null,
      };
      return [...users, added];
    });
    return key;
  }

  /**
   * Revokes the key of a user.
   *
   * @throws {TypeError} If no user of that name has a valid key
   */
  async revoke(name: string, now: string): Promise<void> {
    await this.#change((users) => {
      if (!users.some((user) => user.name === name && user.revokedAt === null)) {
        const names = users.filter((user) => user.revokedAt === null).map((user) => user.name);
        throw new TypeError(
          `Cannot revoke the key of ${describe(name)}: expected a user with a valid key, got ` +
            `none of that name; users with one: ${names.join(", ") || "none"}`,
        );
      }
      return users.map((user) =>
        user.name === name && user.revokedAt === null ? { ...user, revokedAt: now } : user
      );
    });
  }

  get #path(): string {
    return join(this.#folder, FILE);
  }

  async #change(change: (users: readonly RelayUser[]) => readonly RelayUser[]): Promise<void> {
    await onDisk(
      `make ${this.#folder}`,
      () => mkdir(this.#folder, { recursive: true, mode: 0o700 }),
    );
    const flight = { folder: this.#folder, question: FILE, maxWaitMs: LONGEST_WAIT_MS };
    await withFlight(flight, async () => {
      const users = change(await this.list());
      await onDisk(`write ${this.#path}`, () => this.#write(users));
    });
  }

  async #write(users: readonly RelayUser[]): Promise<void> {
    await replaceFile(this.#path, async (temporary) => {
      await using file = await open(temporary, "wx", 0o600);
      // The relay may run as another system user than the administrator, and has to read the file.
      const { uid, gid } = await stat(this.#folder);
      if (process.getuid?.() === 0) await file.chown(uid, gid);
      await file.writeFile(`${JSON.stringify({ format: 1, users }, null, 2)}\n`);
      await file.sync();
    });
  }
}

function assertName(name: string): void {
  if (NAME.test(name)) return;
  throw new TypeError(
    `Cannot add the user ${describe(name)}: expected a name of letters, digits, dots, hyphens ` +
      "and underscores, at most 64 of them, beginning with a letter or a digit",
  );
}

function parseUsers(text: string, path: string): readonly RelayUser[] {
  try {
    return read(USERS, JSON.parse(text), "$").users;
  } catch (error) {
    throw new StorageError(
      `Cannot use ${path}: expected the unchanged list of a relay's users, got another one ` +
        `(${(error as Error).message}); put it back from a backup, or remove it and add the ` +
        "users again",
    );
  }
}
