import { open } from "node:fs/promises";
import type { Factor } from "../../base/contract/factor.ts";
import { encodeRelease, type Release } from "../../base/contract/release.ts";
import type { HandlerCall } from "./pipeline_parts.ts";
import {
  type HandlerReply,
  type HeaderField,
  jsonReply,
  type ReplyStream,
} from "../message/message.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import { matchesEntityTag, weakEntityTag } from "../catalogue/entity_tag.ts";

const CHUNK_BYTES = 256 * 1024;

/** Answers `GET /v1/scores/history`: the metadata of the factor's release (section 4.4). */
export async function serveHistory(
  call: HandlerCall<{ readonly factor: Factor }>,
): Promise<HandlerReply> {
  const { factor } = call.query;
  const release = await call.contents.release(factor, call);
  const download = `/v1/scores/history.csv.gz?factor=${factor}`;
  return jsonReply(encodeRelease({ ...release, download }));
}

/** Answers `GET` and `HEAD /v1/scores/history.csv.gz` (sections 4.5 and 4.6). */
export async function serveHistoryFile(
  call: HandlerCall<{ readonly factor: Factor }>,
): Promise<HandlerReply> {
  const { contents, query: { factor } } = call;
  const release = await contents.release(factor, call);
  const headersOf = (described: Release): HeaderField[] => [
    ["Cache-Control", "private, no-cache"],
    ["ETag", fileEtag(described, call.account.id)],
    ["Content-Disposition", `attachment; filename="${factor}_history.csv.gz"`],
  ];
  const etag = fileEtag(release, call.account.id);
  if (matchesEntityTag(call.request.header("if-none-match"), etag)) {
    call.spendDownload();
    return { status: 304, headers: headersOf(release), body: null, serves: release.downloadSha256 };
  }
  const whole = (described: Release, sizeBytes: number): HeaderField[] => [
    ...headersOf(described),
    ["Content-Type", "application/gzip"],
    ["Content-Length", String(sizeBytes)],
  ];
  if (call.request.method === "HEAD") {
    const sizeBytes = await contents.releaseSize(factor, release);
    return { status: 200, headers: whole(release, sizeBytes), body: null };
  }
  const stored = await contents.releaseFile(factor, release);
  call.spendDownload();
  // The release can change while its file is fetched (section 4.5).
  const headers = whole(stored.release, stored.sizeBytes);
  const serves = stored.release.downloadSha256;
  return { status: 200, headers, body: fileStream(stored), serves };
}

// Hashed again with the account, so that clients cannot mistake the tag for the checksum (section 4.5).
function fileEtag({ downloadSha256 }: Release, accountId: string): string {
  return weakEntityTag([accountId, "file", downloadSha256]);
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
