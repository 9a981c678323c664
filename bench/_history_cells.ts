import { createHash } from "node:crypto";
import pl, { type DataFrame } from "nodejs-polars";

/** A pandas program that prints the digest of each column of a release file, as {@link digestsOf} makes them. */
export const PANDAS_DIGESTS = `
import sys, json, hashlib, pandas
frame = pandas.read_csv(sys.argv[1], dtype={"ticker": str, "ecpnd_score": "float64"},
                        keep_default_na=False, na_values={"ecpnd_score": [""]}, parse_dates=["date"],
                        float_precision="round_trip")
days = frame["date"].values.astype("datetime64[D]").astype("int32")
columns = [days.tobytes(), "\\n".join(frame["ticker"]).encode(), frame["ecpnd_score"].values.tobytes()]
print(json.dumps([hashlib.sha256(column).hexdigest() for column in columns]))
`;

/** The digest of each column of a release: days since 1970, tickers in lines, and scores with NaN for a missing one. */
export function digestsOf(release: DataFrame): readonly string[] {
  const days = release.getColumn("date").cast(pl.Int32).toTypedArray() as Int32Array;
  const tickers = release.getColumn("ticker").cast(pl.Utf8).toArray() as string[];
  const scores = release.select(pl.col("ecpnd_score").fillNull(pl.lit(NaN)))
    .getColumn("ecpnd_score").toTypedArray() as Float64Array;
  return [bytesOf(days), tickers.join("\n"), bytesOf(scores)].map((column) =>
    createHash("sha256").update(column).digest("hex")
  );
}

function bytesOf(values: Int32Array | Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
