import { describeOutcome, type Scenario } from "./_scenario.ts";

/** The scenarios as a Markdown table. */
export function scenarioTable(scenarios: readonly Scenario[]): string {
  const rows = scenarios.map((scenario, i) =>
    `| ${i + 1} | ${scenario.name.replaceAll("|", "\\|")} | ${scenario.load} | ${
      describeOutcome(scenario)
    } |`
  );
  return ["| # | failure | load | expected outcome |", "|---|---|---|---|", ...rows].join("\n");
}
