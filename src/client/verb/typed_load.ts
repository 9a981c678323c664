import type { DataFrame } from "nodejs-polars";
import type { Schema } from "../../frames/frame/typed/schema.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { type Loaded, LoadPromise } from "./load_promise.ts";

/** Promise of a load whose frame has the columns of the options. */
export function typedLoad<Columns extends Schema, Raw>(
  loading: Promise<Loaded<DataFrame, Raw>>,
): LoadPromise<TypedFrame<Columns>, Raw> {
  return new LoadPromise(loading as unknown as Promise<Loaded<TypedFrame<Columns>, Raw>>);
}
