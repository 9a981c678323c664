import { compareOutputs } from "../../../src/study/run/compare_outputs.ts";
import { joined, type NotebookOutput } from "../../../src/study/run/notebook_file.ts";

/** An output that a cell was committed with and does not show now. */
export interface LostOutput {
  /**
   * Who sent it. The kernel sends what is printed and what is shown as text alone, and is known to lose some of it; all other
   * outputs are sent by this library, which waits until they are on their way.
   */
  readonly sentBy: "the kernel" | "this library";
  /** Its media types, and how its text begins. */
  readonly what: string;
}

const EXCERPT = 60;

/** The outputs that are lost, if those that are there are the others in their order; `null` if something else differs. */
export function lostOutputs(
  expected: readonly NotebookOutput[],
  found: readonly NotebookOutput[],
  options: Parameters<typeof compareOutputs>[2],
): readonly LostOutput[] | null {
  const lost: LostOutput[] = [];
  let place = 0;
  for (const output of expected) {
    const next = found[place];
    if (next !== undefined && compareOutputs([output], [next], options) === null) place++;
    // A progress bar counts as nothing on both sides.
    else if (compareOutputs([output], [], options) !== null) lost.push(describeLost(output));
  }
  return compareOutputs([], found.slice(place), options) === null ? lost : null;
}

function describeLost(output: NotebookOutput): LostOutput {
  const { output_type, data = {} } = output;
  const types = Object.keys(data);
  const isPlain = output_type === "stream" ||
    (output_type === "execute_result" && types.every((type) => type === "text/plain"));
  const kind = output_type === "stream" ? "a printed text" : types.join(" and ") || output_type;
  const text = joined(output.text ?? data["text/plain"] ?? output.evalue ?? "").trim();
  return {
    sentBy: isPlain ? "the kernel" : "this library",
    what: `${kind}, "${text.slice(0, EXCERPT).replaceAll("\n", " ")}"`,
  };
}
