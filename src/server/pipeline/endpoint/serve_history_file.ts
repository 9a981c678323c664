import { open, stat } from "node:fs/promises";
import { IntegrityError } from "../../../errors.ts";
import type { Factor } from "../../../contract/factor.ts";
import type { StoredRelease } from "../../../store/release/release_file.ts";
import { matchesEntityTag, weakEntityTag } from "../../catalogue/entity_tag.ts";
import type { HandlerCall, HandlerReply } from "../handler.ts";
import type { HeaderField, ReplyStream } from "../../message/message.ts";
import { selectRelease } from "./serve_history.ts";

const CHUNK_BYTES = 256 * 1024;

/** Answers `GET` and `HEAD /v1/scores/history.csv.gz` (sections 4.5 and 4.6). */
export async function serveHistoryFile(
  call: HandlerCall<{ readonly factor: Factor }>,
): Promise<HandlerReply> {
  const stored = await selectRelease(call);
  await assertWhole(stored);
  call.spendDownload();
  const etag = fileEtag(stored, call.account.id);
  const headers: HeaderField[] = [
    ["Cache-Control", "private, no-cache"],
    ["ETag", etag],
    ["Content-Disposition", `attachment; filename="${call.query.factor}_history.csv.gz"`],
  ];
  if (matchesEntityTag(call.request.header("if-none-match"), etag)) {
    return { status: 304, headers, body: null };
  }
  return {
    status: 200,
    headers: [
      ...headers,
      ["Content-Type", "application/gzip"],
      ["Content-Length", String(stored.sizeBytes)],
    ],
    body: call.request.method === "HEAD" ? null : fileStream(stored),
  };
}

// A file that is missing or cut short is an error of the service, found before a length is sent.
async function assertWhole(stored: StoredRelease): Promise<void> {
  const { size } = await stat(stored.path);
  if (size === stored.sizeBytes) return;
  throw new IntegrityError(
    `Cannot serve ${stored.path}: expected ${stored.sizeBytes} bytes, got ${size}`,
  );
}

// Hashed once more with the account, so that no client takes the tag for the checksum (section 4.5).
function fileEtag(stored: StoredRelease, accountId: string): string {
  return weakEntityTag([accountId, "file", stored.release.downloadSha256]);
}

function fileStream(stored: StoredRelease): ReplyStream {
  return {
    sizeBytes: stored.sizeBytes,
    async *open() {
      const handle = await open(stored.path, "r");
      try {
        while (true) {
          const chunk = new Uint8Array(CHUNK_BYTES);
          const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES);
          if (bytesRead === 0) return;
          yield chunk.subarray(0, bytesRead);
        }
      } finally {
        await handle.close();
      }
    },
  };
}
