import { command, flag, type Option } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { examineFonts, examineJupyter, examineRuntime } from "./examine_machine.ts";
import { examineService } from "./examine_service.ts";
import { examineStorage } from "./examine_storage.ts";
import { describeFinding, type DoctorFinding, type Machine, thisMachine } from "./machine.ts";

/** `doctor`: checks this machine, and says how to fix each problem. */
export const runDoctor = command<{ readonly offline: Option<boolean> }, Machine>({
  usage: ["doctor [--offline]"],
  about:
    `Checks the runtime and its permissions, the packages, key, address, service and clock, the cache, its stores and disk,
the charts, the kernel and Jupyter, and says how to fix each problem. Never shows the key, and changes nothing.
Sends one request to the service, which counts against the day's allowance. Exits with 1 if anything is broken.`,
  options: { offline: flag("send nothing to the service") },
  run: ({ values, terminal, around = thisMachine() }) =>
    examine(around, values.offline !== true, terminal),
});

async function examine(machine: Machine, ask: boolean, terminal: Terminal): Promise<number> {
  const findings: DoctorFinding[] = [];
  const report = (found: readonly DoctorFinding[]) => {
    findings.push(...found);
    for (const finding of found) terminal.out(describeFinding(finding));
  };
  report(await examineRuntime(machine));
  report(await examineService(machine, { ask }));
  report(await examineStorage(machine));
  report([await examineFonts()]);
  report(await examineJupyter(machine));
  const counts = (["broken", "limited"] as const).map((state) =>
    `${findings.filter((finding) => finding.state === state).length} ${state}`
  );
  terminal.out(`\n${counts.join(", ")}, ${findings.length} checked`);
  return findings.some(({ state }) => state === "broken") ? 1 : 0;
}
