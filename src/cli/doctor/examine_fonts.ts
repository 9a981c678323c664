import { Chart } from "../../chart/chart.ts";
import { type Finding, good, limited } from "./finding.ts";

/** Draws a chart with a text, which needs the font of the package and two native parts. */
export async function examineFonts(): Promise<Finding> {
  try {
    const spec = {
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
    return good("charts", `drawn with the font of the package, ${picture.length} bytes`);
  } catch (error) {
    const words = (error as Error).message.split("\n")[0]!;
    return limited(
      "charts",
      `not drawn, "${words}"`,
      "run deno install in the folder of the project",
    );
  }
}
