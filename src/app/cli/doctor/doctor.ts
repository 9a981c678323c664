import { flags, HELP_OPTION, parseArguments } from "../parse_arguments.ts";
import { printed, type Terminal } from "../terminal.ts";
import { examineFonts, examineJupyter, examineRuntime } from "./examine_machine.ts";
import { examineService } from "./examine_service.ts";
import { examineStorage } from "./examine_storage.ts";
import { describeFinding, type DoctorFinding, type Machine, thisMachine } from "./machine.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";

const HELP = `usage: ${commandLine()} doctor [--offline]

Checks the runtime and its permissions, the packages, key, address, service and clock, the cache, its stores and disk,
the charts, the kernel and Jupyter, and says how to fix each problem. Never shows the key, and changes nothing.
Sends one request to the service, which counts against the day's allowance. Exits with 1 if anything is broken.

  --offline   send nothing to the service`;

/** Runs `doctor`: checks this machine, and says how to fix each problem. */
export async function runDoctor(
  args: string[],
  terminal: Terminal,
  machine: Machine = thisMachine(),
): Promise<number> {
  const { values } = parseArguments(args, { options: { ...flags("offline"), ...HELP_OPTION } });
  if (values.help === true) return printed(terminal, HELP);
  const findings: DoctorFinding[] = [];
  const report = (found: readonly DoctorFinding[]) => {
    findings.push(...found);
    for (const finding of found) terminal.out(describeFinding(finding));
  };
  report(await examineRuntime(machine));
  report(await examineService(machine, { ask: values.offline !== true }));
  report(await examineStorage(machine));
  report([await examineFonts()]);
  report(await examineJupyter(machine));
  const counts = (["broken", "limited"] as const).map((state) =>
    `${findings.filter((finding) => finding.state === state).length} ${state}`
  );
  terminal.out(`\n${counts.join(", ")}, ${findings.length} checked`);
  return findings.some(({ state }) => state === "broken") ? 1 : 0;
}
