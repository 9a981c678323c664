/**
 * Worker side of {@link WorkerEncoder}: encodes one release on its own thread.
 *
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import {
  ReleaseEncoder,
  type ReleaseEncoderSettings,
  type ReleaseFacts,
} from "./release_encoder.ts";

/**
 * Message to the worker: a session, or the end of the sessions.
 *
 * Scores travel as a bare buffer: Deno walks the elements of a typed array in a message, at half the cost of
 * compressing them.
 */
export type WorkerRequest =
  | { readonly kind: "session"; readonly date: string; readonly micro: ArrayBuffer }
  | { readonly kind: "finish" };

/** Reply of the worker: a session is done, the file is finished, or a failure with its reason. */
export type WorkerReply =
  | { readonly kind: "done" }
  | { readonly kind: "finished"; readonly facts: ReleaseFacts }
  | { readonly kind: "failed"; readonly message: string };

const port = parentPort;
if (port !== null) {
  const encoder = ReleaseEncoder.open(workerData as ReleaseEncoderSettings);
  const reply = (message: WorkerReply) => port.postMessage(message);
  let work: Promise<void> = Promise.resolve();
  port.on("message", (request: WorkerRequest) => {
    work = work.then(async () => reply(await answer(await encoder, request)))
      .catch((error: unknown) => reply({ kind: "failed", message: String(error) }));
  });
}

async function answer(encoder: ReleaseEncoder, request: WorkerRequest): Promise<WorkerReply> {
  if (request.kind === "finish") return { kind: "finished", facts: await encoder.finish() };
  await encoder.writeSession(request.date, new Int32Array(request.micro));
  return { kind: "done" };
}
