import { loadFrameFactory } from "../frames/frame/frame_factory.ts";
import { adoptNotebook } from "../frames/notebook/adopt_notebook.ts";
import { ScoreframeError } from "../base/errors.ts";
import { missingPermission } from "../base/disk/missing_permission.ts";
import type { ConnectOptions } from "./connect_options.ts";
import { FactorApi } from "./factor_api.ts";
import { openContext } from "./open_context.ts";

/**
 * Opens a connection: storage, exchange and verbs.
 *
 * @param about Further facts about the service, as rows of the connection's display
 */
export async function openConnection(
  options: ConnectOptions,
  about: readonly (readonly [string, string])[] = [],
): Promise<FactorApi> {
  try {
    const { context, close } = await openContext(options, about);
    await adoptNotebook(loadFrameFactory);
    return new FactorApi(context, close);
  } catch (error) {
    // Without a Deno permission, the environment or the home directory cannot be read.
    const permission = missingPermission(error);
    throw permission === null ? error : new ScoreframeError(`Cannot connect: ${permission}`);
  }
}
