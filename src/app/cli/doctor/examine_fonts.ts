import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { Chart } from "../../../report/chart/chart.ts";
import { installLine } from "../../../base/runtime/command_line.ts";
import { type DoctorFinding, good, limited } from "./finding.ts";
import type { VegaSpec } from "../../../report/chart/chart_spec.ts";

/** Draws a chart with text, which needs the package's font and two native modules. */
export async function examineFonts(): Promise<DoctorFinding> {
  try {
    const spec: VegaSpec = {
      $schema: "https://vega.github.io/schema/vega-lite/v5.json",
      title: "tried",
      data: { values: [{ x: 1, y: 1 }] },
      mark: "point",
      encoding: {
        x: { field: "x", type: "quantitative" },
        y: { field: "y", type: "quantitative" },
      },
    };
    const picture = await new Chart(spec, { description: "a point" }).toPng();
    return good("charts", `a test chart was drawn (${groupThousands(picture.length)} bytes)`);
  } catch (error) {
    const words = (error as Error).message.split("\n")[0]!;
    return limited(
      "charts",
      `a test chart could not be drawn: "${words}"`,
      `run ${installLine()} in the folder of the project`,
    );
  }
}
