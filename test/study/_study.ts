import type { StudyOptions } from "../../src/study/study_options.ts";
import { openStudyFolder } from "../../src/study/open_study_folder.ts";
import type { Study } from "../../src/study/study.ts";
import { KEY, type Service, type ServiceOptions, startService } from "../client/_service.ts";

/** A service, and studies over it. */
export interface StudyService extends Service {
  /** Opens a study that may load from the service. */
  open(folder: string, options?: StudyOptions): Promise<Study>;
  /** Opens a frozen study, without a key, in which every sender throws. */
  openFrozen(folder: string, options?: StudyOptions): Promise<Study>;
  /** The requests that reached the service since the last call, as path and query. */
  takeRequests(): readonly string[];
}

/** Starts a service for studies. */
export async function startStudyService(options: ServiceOptions = {}): Promise<StudyService> {
  const service = await startService(options);
  const opened: Study[] = [];
  const open = async (folder: string, options: StudyOptions) => {
    const now = () => service.clock.ms;
    const study = await openStudyFolder(folder, { now, environment: {}, ...options });
    opened.push(study);
    return study;
  };
  return {
    ...service,
    open: (folder, options = {}) =>
      open(folder, { apiKey: KEY, fetch: service.fetch, random: () => 0, ...options }),
    openFrozen: (folder, options = {}) =>
      open(folder, {
        mode: "frozen",
        fetch: () => Promise.reject(new Error("a frozen study sent something")),
        ...options,
      }),
    takeRequests: () =>
      service.requests.splice(0).map((request) => {
        const { pathname, search } = new URL(request.url);
        return `${pathname}${search}`;
      }),
    async close() {
      for (const study of opened) await study.close();
      await service.close();
    },
  };
}
