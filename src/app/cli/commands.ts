import type { Terminal } from "./terminal.ts";

/** A command of the command line. */
export interface Command {
  /** Description, shown after its name. */
  readonly does: string;
  /** Loads the command; `serve` loads no Polars. */
  load(): Promise<RunCommand>;
}

/** Runs a command with its arguments and returns its exit code. Every command has `--help`. */
export type RunCommand = (args: string[], terminal: Terminal) => Promise<number>;

/** Every command by its name. A new command needs a row here. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  demo: {
    does: "load scores and a release from an embedded server, and print them",
    load: async () => (await import("./demo/demo.ts")).runDemo,
  },
  serve: {
    does: "serve the whole API from a store or from a synthetic world",
    load: async () => (await import("./serve/serve.ts")).runServe,
  },
  relay: {
    does: "share one account among the colleagues of a desk: a server that requests each set once",
    load: async () => (await import("./relay/run_relay.ts")).runRelay,
  },
  verify: {
    does: "verify a store, and list its damaged files",
    load: async () => (await import("./verify.ts")).runVerify,
  },
  study: {
    does: "list, verify, compare, update, restore and share studies",
    load: async () => (await import("./study/run_study.ts")).runStudy,
  },
  lint: {
    does: "report hidden state in notebooks, without running them",
    load: async () => (await import("./lint.ts")).runLint,
  },
  analyse: {
    does: "analyse a dataset partition by partition, and merge the parts",
    load: async () => (await import("./analyse.ts")).runAnalyse,
  },
  lab: {
    does: "install this project's Jupyter kernel and open the notebooks",
    load: async () => (await import("./lab/lab.ts")).runLab,
  },
  help: {
    does: "print the documentation of a function, such as help analyzeFactor",
    load: async () => (await import("./help.ts")).runHelp,
  },
  doctor: {
    does: "check this machine, and advise on problems",
    load: async () => (await import("./doctor/doctor.ts")).runDoctor,
  },
};
